import Subprocess
import WorkerKit

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

extension Command {
    /// Runs the program to its end, and then kills the processes that it left behind. A cancelled
    /// task, the timeout and an error of `read` end the program.
    ///
    /// - Parameter read: Reads standard output and standard error to their ends.
    /// - Throws: A `WorkerError` if it cannot start or takes too long, or as `read`.
    func run<Result: Sendable>(
        context: WorkerContext,
        read:
            @escaping @Sendable (
                _ output: SubprocessOutputSequence, _ errors: SubprocessOutputSequence
            ) async throws -> Result
    ) async throws -> (Result, Ending) {
        guard let timeout else { return try await start(read) }
        return try await withThrowingTaskGroup { group in
            group.addTask { Optional(try await start(read)) }
            group.addTask {
                try await context.sleep(for: timeout)
                return nil
            }
            defer { group.cancelAll() }
            if let ended = try await group.next(), let result = ended { return result }
            throw WorkerError(
                "timed_out", "the program took longer than \(timeout / .seconds(1)) seconds",
                help: "raise timeout")
        }
    }

    private func start<Result: Sendable>(
        _ read:
            @escaping @Sendable (
                SubprocessOutputSequence, SubprocessOutputSequence
            ) async throws -> Result
    ) async throws -> (Result, Ending) {
        try Task.checkCancellation()
        let input = try StandardInput(input ?? "")
        do {
            let result = try await Subprocess.run(
                configuration,
                input: .fileDescriptor(
                    input.descriptor, closeAfterSpawningProcess: false),
                output: .sequence, error: .sequence
            ) { execution in
                let group = ProcessGroup(leader: execution.processIdentifier.value)
                GroupKeeper.shared.register(group)
                // Before the program's number can be reused.
                defer { GroupKeeper.shared.unregister(group) }
                async let ended: Void = group.killWhenLeaderEnds()
                do {
                    let result = try await read(execution.standardOutput, execution.standardError)
                    await ended
                    return result
                } catch {
                    await execution.teardown(using: ProcessGroup.teardown)
                    await ended
                    throw error
                }
            }
            // The output of a cancelled program is incomplete.
            try Task.checkCancellation()
            return (result.closureResult, Ending(result.terminationStatus))
        } catch let error as SubprocessError {
            try Task.checkCancellation()
            throw WorkerError(error, configuration: configuration)
        }
    }
}

extension WorkerError {
    fileprivate init(_ error: SubprocessError, configuration: Configuration) {
        switch error.code {
        case .failedToChangeWorkingDirectory:
            let folder = configuration.workingDirectory?.string ?? ""
            self.init(
                "not_started", "the program cannot run in the folder '\(folder)'",
                help: "make sure that there is such a folder, and that you may enter it")
        case .executableNotFound:
            self.init(
                "not_started", "'\(configuration.executable)' cannot be started",
                help: "make sure that it is a program that you may run")
        case .spawnFailed:
            self.init(
                "not_started",
                "'\(configuration.executable)' cannot be started: "
                    + (error.underlyingError.map { "\($0)" } ?? "\(error)"))
        default:
            self.init("failed", "\(error)")
        }
    }
}
