import Subprocess
import Synchronization
import WorkerKit

/// `process.run`: runs a program, and emits all of its output at the end.
struct ProcessRun: PluginWorker {
    static let name = "process.run"
    static let summary = "Runs a program to its end, then gives its exit code and its output."
    static let needs: [WorkerNeed] = ["process={program}", "file.read={folder}"]

    typealias Input = CommandInput

    struct Output: Codable, Sendable {
        var exitCode: Int?
        /// The signal that ended the program, if any.
        var signal: String?
        var stdout: String
        var stderr: String

        enum CodingKeys: String, CodingKey {
            case exitCode = "exit_code"
            case signal, stdout, stderr
        }
    }

    func run(_ input: CommandInput, context: WorkerContext) async throws -> Output {
        let room = OutputRoom(byteCount: try input.byteLimit(default: 1024 * 1024))
        let command = try await Command(input, context: context)
        let (texts, ending) = try await command.run(context: context) { output, errors in
            async let stdout = room.text(of: output)
            async let stderr = room.text(of: errors)
            return try await (stdout: stdout, stderr: stderr)
        }
        return Output(
            exitCode: ending.exitCode, signal: ending.signal, stdout: texts.stdout,
            stderr: texts.stderr)
    }
}

/// Collects standard output and standard error up to a common limit.
private final class OutputRoom: Sendable {
    private let limit: Int
    private let left: Mutex<Int>

    init(byteCount: Int) {
        limit = byteCount
        left = Mutex(byteCount)
    }

    /// A whole output as text.
    func text(of output: SubprocessOutputSequence) async throws -> String {
        var bytes: [UInt8] = []
        for try await buffer in output {
            let isTooMuch = left.withLock { left in
                left -= buffer.count
                return left < 0
            }
            guard !isTooMuch else {
                throw WorkerError(
                    "too_large", "the program wrote more than \(limit) bytes",
                    help: "raise max_bytes, or read line by line with process.lines")
            }
            buffer.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
