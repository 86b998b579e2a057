import Subprocess
import WorkerKit

/// `process.lines`: runs a program, and emits each line of its output as it arrives.
struct ProcessLines: EmittingPluginWorker {
    static let name = "process.lines"
    static let summary = "Runs a program, gives each line that it writes, then its exit code."
    static let needs: [WorkerNeed] = ["process={program}", "file.read={folder}"]

    typealias Input = CommandInput

    enum Stream: String, Codable, Sendable, CaseIterable {
        case stdout, stderr
    }

    struct Output: Codable, Sendable {
        var stream: Stream?
        var line: String?
        /// True if the line was too long and continues with the next output of the same stream.
        var continues: Bool?
        var exitCode: Int?
        /// The signal that ended the program, if any.
        var signal: String?

        enum CodingKeys: String, CodingKey {
            case stream, line, continues
            case exitCode = "exit_code"
            case signal
        }
    }

    func run(
        _ input: CommandInput, context: WorkerContext, outputs: WorkerEmitter<Output>
    ) async throws {
        let limit = try input.byteLimit(default: 64 * 1024)
        let command = try await Command(input, context: context)
        let (_, ending) = try await command.run(context: context) { output, errors in
            async let stdout: Void = emit(output, as: .stdout, limit: limit, into: outputs)
            async let stderr: Void = emit(errors, as: .stderr, limit: limit, into: outputs)
            _ = try await (stdout, stderr)
        }
        try await outputs.send(Output(exitCode: ending.exitCode, signal: ending.signal))
    }

    private func emit(
        _ bytes: SubprocessOutputSequence, as stream: Stream, limit: Int,
        into outputs: WorkerEmitter<Output>
    ) async throws {
        var splitter = LineSplitter(limit: limit)
        for try await buffer in bytes {
            for line in buffer.withUnsafeBytes({ splitter.append($0) }) {
                try await outputs.send(Output(line, of: stream))
            }
        }
        if let line = splitter.finish() { try await outputs.send(Output(line, of: stream)) }
    }
}

extension ProcessLines.Output {
    fileprivate init(_ line: LineSplitter.Line, of stream: ProcessLines.Stream) {
        self.init(stream: stream, line: line.text, continues: line.continues ? true : nil)
    }
}
