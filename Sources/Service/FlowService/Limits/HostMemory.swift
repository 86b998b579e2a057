import HTTPServing
import LibC
import Synchronization

/// Checks the process's memory against a limit.
final class HostMemory: Sendable {
    private struct State {
        var isOver = false
        var nextLook: ContinuousClock.Instant
    }

    private static let interval = Duration.milliseconds(100)

    private let state: Mutex<State>
    private let limit: Int?
    private let resident: @Sendable () -> Int
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameter limit: The bytes above which changes are refused; `nil` for no limit.
    init(
        limit: Int?, now: @escaping @Sendable () -> ContinuousClock.Instant,
        resident: @escaping @Sendable () -> Int = { HostMemory.residentBytes }
    ) {
        self.limit = limit
        self.now = now
        self.resident = resident
        state = Mutex(State(nextLook: now()))
    }

    /// Throws while the process uses too much memory.
    func check() throws(Problem) {
        guard let limit else { return }
        let now = now()
        let isOver = state.withLock { state in
            guard now >= state.nextLook else { return state.isOver }
            state.nextLook = now + Self.interval
            state.isOver = resident() > limit
            // Freed memory is still resident until it is returned to the system.
            if state.isOver { Self.giveBack() }
            return state.isOver
        }
        guard !isOver else {
            throw Problem(
                .serviceUnavailable, "overloaded", "Memory limit reached",
                detail: "It takes nothing new until it has; what it has can be read.",
                retryAfter: 1)
        }
    }

    /// The resident bytes of the process; 0 if the system does not tell.
    static var residentBytes: Int {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(file, &bytes, bytes.count)
        let words = bytes.prefix(max(count, 0)).split(separator: UInt8(ascii: " "))
        guard words.count > 1, let pages = Int(String(decoding: words[1], as: UTF8.self)) else {
            return 0
        }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Returns free memory to the system by glibc's `malloc_trim`, if there is one.
    private static func giveBack() {
        typealias Trim = @convention(c) (Int) -> Int32
        guard let function = dlsym(nil, "malloc_trim") else { return }
        // Sound because only glibc has this name: `int malloc_trim(size_t)`.
        _ = unsafeBitCast(function, to: Trim.self)(0)
    }
}
