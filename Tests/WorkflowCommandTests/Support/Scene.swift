import Foundation
import TestSupport

/// A temporary folder with a flow's files.
final class Scene {
    private let temporary: TemporaryFolder

    init(_ files: [String: String] = [:]) throws { temporary = try TemporaryFolder(files) }

    var folder: URL { temporary.url }

    func text(of name: String) throws -> String { try temporary.text(of: name) }

    func write(_ text: String, to name: String) throws { try temporary.write(text, to: name) }

    /// Runs the program in this folder, with its complete input.
    func run(
        _ arguments: String..., input: String = "", environment: [String: String] = [:]
    ) async throws -> Outcome {
        try await run(arguments, input: input, environment: environment)
    }

    func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) async throws -> Outcome {
        let program = try await start(arguments, environment: environment)
        program.write(input)
        return try await program.finish()
    }

    /// Starts the program in this folder.
    func start(
        _ arguments: [String], environment: [String: String] = [:],
        output: ProgramOutput = .collected
    ) async throws -> RunningProgram {
        try await RunningProgram(
            arguments, in: folder, environment: environment, output: output, keeping: self)
    }
}
