import Synchronization
import WorkflowLua

/// The contents of a file, read again when the file changes. If a changed file cannot be used, the
/// previous contents stay, and the error is reported.
final class WatchedFile<Contents: Sendable>: Sendable {
    private struct State {
        var contents: Contents
        var stamp: FileStamp?
        var nextLook: ContinuousClock.Instant
    }

    private let state: Mutex<State>
    private let path: String
    private let parse: @Sendable ([UInt8]) async throws(FlowError) -> Contents
    private let report: @Sendable (FlowError) -> Void
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameter report: Called with the reason why the changed file cannot be used.
    init(
        _ path: String, now: @escaping @Sendable () -> ContinuousClock.Instant,
        report: @escaping @Sendable (FlowError) -> Void,
        parse: @escaping @Sendable ([UInt8]) async throws(FlowError) -> Contents
    ) async throws(FlowError) {
        self.path = path
        self.now = now
        self.report = report
        self.parse = parse
        let stamp = FileStamp(path)
        let contents = try await parse(try Self.read(path))
        state = Mutex(State(contents: contents, stamp: stamp, nextLook: now() + .seconds(1)))
    }

    /// The contents. The file is checked at most once a second.
    func contents() async -> Contents {
        let mayHaveChanged = state.withLock { state in
            guard now() >= state.nextLook else { return false }
            state.nextLook = now() + .seconds(1)
            return true
        }
        if mayHaveChanged { await reload(always: false) }
        return state.withLock(\.contents)
    }

    func reload() async { await reload(always: true) }

    private func reload(always: Bool) async {
        // Taken before reading, so that a change meanwhile is seen the next time.
        let stamp = FileStamp(path)
        guard always || stamp != state.withLock(\.stamp) else { return }
        do throws(FlowError) {
            let contents = try await parse(try Self.read(path))
            state.withLock {
                $0.contents = contents
                $0.stamp = stamp
            }
        } catch {
            // Report each change once.
            state.withLock { $0.stamp = stamp }
            report(error)
        }
    }

    private static func read(_ path: String) throws(FlowError) -> [UInt8] {
        switch readFile(path, limit: 16 << 20, isRegular: true) {
        case .success(let bytes): return bytes
        case .failure(let failure):
            throw FlowError(.unreadableForUser, path, failure.reason)
        }
    }
}
