import Foundation
import Synchronization
import TestSupport
import Testing

/// The built `workflow-run`, playing the flow of an example.
final class Program: Sendable {
    /// The results of a run.
    struct Outcome: Sendable {
        let lines: [String]
        let errors: String
        let status: Int32
    }

    private let process: Process
    private let input = Pipe()
    /// The folder for the program's temporary files and its errors.
    private let temporary: TemporaryFolder
    private let stream: AsyncStream<String>
    private let seen = Mutex<[String]>([])

    /// Starts the program in a folder.
    init(_ arguments: [String], in folder: String, environment: [String: String] = [:]) throws {
        // The program may end before it has read its input.
        signal(SIGPIPE, SIG_IGN)
        process = Process()
        process.executableURL = try Repository.workflowRun()
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder)
        temporary = try TemporaryFolder(["errors": ""])
        process.environment = ProcessInfo.processInfo.environment
            .merging(["TMPDIR": temporary.path]) { $1 }.merging(environment) { $1 }
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = try FileHandle(
            forWritingTo: URL(filePath: temporary.path("errors")))
        let (stream, lines) = AsyncStream<String>.makeStream()
        self.stream = stream
        try process.run()
        let descriptor = output.fileHandleForReading
        Thread.detachNewThread {
            var rest: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(descriptor.fileDescriptor, &chunk, chunk.count)
                if count <= 0 { break }
                rest += chunk[..<count]
                while let end = rest.firstIndex(of: 0x0A) {
                    lines.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeFirst(end + 1)
                }
            }
            try? descriptor.close()
            lines.finish()
        }
        let process = process
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }
    }

    /// Writes a line to its standard input.
    func write(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Reads lines of its output up to one that contains `text`, and returns that.
    func line(with text: String) async throws -> String { try await lines(with: text)[0] }

    /// Reads lines of its output until there is one for each of `texts`, in any order, and returns
    /// those.
    func lines(with texts: String...) async throws -> [String] {
        var found: [String: String] = [:]
        for await line in stream {
            seen.withLock { $0.append(line) }
            for text in texts where found[text] == nil && line.contains(text) { found[text] = line }
            if found.count == texts.count { return texts.compactMap { found[$0] } }
        }
        throw Ended(seen: seen.withLock { $0 } + [outcome().errors])
    }

    /// Closes its standard input, waits for its end, and returns its output.
    func finish() async throws -> Outcome {
        try input.fileHandleForWriting.close()
        for await line in stream { seen.withLock { $0.append(line) } }
        return outcome()
    }

    private func outcome() -> Outcome {
        process.waitUntilExit()
        return Outcome(
            lines: seen.withLock { $0 }, errors: (try? temporary.text(of: "errors")) ?? "",
            status: process.terminationStatus)
    }

    struct Ended: Error {
        let seen: [String]
    }
}
