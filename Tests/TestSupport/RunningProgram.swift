package import Foundation
import Synchronization

package struct Outcome {
    /// Its standard output, but for the lines that were read before.
    package var stdout: String
    /// Its standard error, but for the lines that were read before.
    package var stderr: String
    /// Its exit status; 128 more than the signal that ended it.
    package var status: Int32
    package let temporary: Folder
}

package enum ProgramOutput {
    /// To the test.
    case collected
    /// Into a pipe that nobody reads.
    case closed
    /// Into a file.
    case file(FileHandle)
}

extension Folder {
    /// Throws if temporary files of programs are left here, except recordings of failed tests.
    func expectNothing() throws {
        let names = try names().filter { !$0.hasPrefix("workflow-run-test-") }
        guard names.isEmpty else { throw Unexpected(what: "temporary files are left: \(names)") }
    }

    package func run(
        _ arguments: String..., input: String = "", environment: [String: String] = [:]
    ) async throws -> Outcome { try await run(arguments, input: input, environment: environment) }

    package func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) async throws -> Outcome {
        let program = try await start(arguments, environment: environment)
        program.write(input)
        return try await program.finish()
    }

    /// Starts the program in this folder, which is kept until it ends.
    package func start(
        _ arguments: [String], environment: [String: String] = [:],
        output: ProgramOutput = .collected
    ) async throws -> RunningProgram {
        try await RunningProgram(
            arguments, in: path, environment: environment, output: output, keeping: self)
    }
}

/// A running `workflow-run` with pipes for all its streams.
package final class RunningProgram {
    private let process: Process
    private let input: Pipe
    private let output: Collector?
    private let errors: Collector
    private let exit: AsyncStream<Int32>
    private let hasHung = Flag()
    private let temporary: Folder

    private let keptAlive: AnyObject?

    /// Starts the program once the gate allows, or `executable`, which starts it. Must be followed
    /// by ``finish(closingInput:)``, until which `keptAlive` is kept.
    package init(
        _ arguments: [String], of executable: URL? = nil, in folder: String,
        environment: [String: String] = [:],
        output: ProgramOutput = .collected, keeping keptAlive: AnyObject? = nil
    ) async throws {
        self.keptAlive = keptAlive
        // The program may end before it has read its input.
        signal(SIGPIPE, SIG_IGN)
        let executable = try executable ?? Repository.workflowRun()
        let temporary = try Folder()
        self.temporary = temporary
        // Pipes are created only now: those of all waiting tests are more than Foundation watches.
        await ProgramGate.shared.enter()
        let process = Process()
        self.process = process
        input = Pipe()
        let errors = Pipe()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = ProcessInfo.processInfo.environment
            .merging(["TMPDIR": temporary.path]) { $1 }.merging(environment) { $1 }
        process.standardInput = input
        let pipe = Pipe()
        switch output {
        case .collected: process.standardOutput = pipe
        case .closed:
            try? pipe.fileHandleForReading.close()
            process.standardOutput = pipe
        case .file(let file): process.standardOutput = file
        }
        process.standardError = errors
        let (exit, continuation) = AsyncStream<Int32>.makeStream()
        self.exit = exit
        process.terminationHandler = { process in
            let isSignal = process.terminationReason == .uncaughtSignal
            continuation.yield(process.terminationStatus + (isSignal ? 128 : 0))
            continuation.finish()
        }
        do {
            try process.run()
        } catch {
            await ProgramGate.shared.leave()
            throw error
        }
        self.output = if case .collected = output { Collector(pipe) } else { nil }
        self.errors = Collector(errors)
        let (id, hasHung) = (process.processIdentifier, hasHung)
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
            if hasHung.isSettled { return }
            hasHung.raise()
            kill(id, SIGKILL)
        }
    }

    package func write(_ text: String) { write(bytes: Array(text.utf8)) }

    package func write(bytes: [UInt8]) {
        let (handle, data) = (input.fileHandleForWriting, Data(bytes))
        // On a separate queue, so that a program that does not read cannot block the test.
        DispatchQueue(label: "input").sync { try? handle.write(contentsOf: data) }
    }

    /// Writes a text for as long as the program reads it. Returns the counts of bytes so far.
    package func feed(_ text: String) -> AsyncStream<Int> {
        let (counts, continuation) = AsyncStream<Int>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let handle = input.fileHandleForWriting
        let data = Data(String(repeating: text, count: 1000).utf8)
        DispatchQueue(label: "feed").async {
            var count = 0
            while (try? handle.write(contentsOf: data)) != nil {
                count += data.count
                continuation.yield(count)
            }
            continuation.finish()
        }
        return counts
    }

    package func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// The next line of the program's output; `nil` at its end.
    package func line() async -> String? { await output?.line() }

    /// Reads lines of the program's output until one contains each of `texts`, in any order.
    package func lines(to texts: String...) async throws -> [String] {
        var (lines, missing) = ([String](), texts)
        while !missing.isEmpty {
            guard let line = await line() else {
                let errors = await errors.rest()
                throw Missing(what: "\(missing) in \(lines), \(errors)")
            }
            lines.append(line)
            missing.removeAll { line.contains($0) }
        }
        return lines
    }

    /// The next line of the program's errors; `nil` at their end.
    package func errorLine() async -> String? { await errors.line() }

    package func closeInput() throws { try input.fileHandleForWriting.close() }

    /// Closes the input, unless it must stay open, and waits for the program's end.
    package func finish(closingInput: Bool = true) async throws -> Outcome {
        if closingInput { try input.fileHandleForWriting.close() }
        var status: Int32 = -1
        for await exit in exit { status = exit }
        hasHung.settle()
        // Foundation keeps the pipes of an ended process.
        try? input.fileHandleForReading.close()
        await ProgramGate.shared.leave()
        if hasHung.isRaised { throw Unexpected(what: "the program had to be killed") }
        try temporary.expectNothing()
        // A client that waits for a program on a busy machine says so.
        let stderr = await errors.rest()
            .replacing(#/waiting for the program at .*, which is busy\n/#, with: "")
        return Outcome(
            stdout: await output?.rest() ?? "", stderr: stderr, status: status,
            temporary: temporary)
    }
}

private final class Collector {
    private var lines: AsyncStream<String>.Iterator

    init(_ pipe: Pipe) {
        let handle = pipe.fileHandleForReading
        let (lines, continuation) = AsyncStream<String>.makeStream()
        self.lines = lines.makeAsyncIterator()
        DispatchQueue(label: "reader").async {
            var buffer: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                // FileHandle would wait until the chunk is full.
                let count = read(handle.fileDescriptor, &chunk, chunk.count)
                if count <= 0 { break }
                buffer += chunk[..<count]
                while let end = buffer.firstIndex(of: 0x0A) {
                    continuation.yield(String(decoding: buffer[...end], as: UTF8.self))
                    buffer.removeFirst(end + 1)
                }
            }
            try? handle.close()
            if !buffer.isEmpty { continuation.yield(String(decoding: buffer, as: UTF8.self)) }
            continuation.finish()
        }
    }

    func line() async -> String? { await lines.next(isolation: #isolation) }

    func rest() async -> String {
        var text = ""
        while let line = await line() { text += line }
        return text
    }
}

/// True if a program had to be killed; set from another thread.
private final class Flag: Sendable {
    private enum State { case open, raised, settled }
    private let state = Mutex(State.open)

    var isRaised: Bool { state.withLock { $0 == .raised } }
    var isSettled: Bool { state.withLock { $0 == .settled } }
    func raise() { state.withLock { if $0 == .open { $0 = .raised } } }
    func settle() { state.withLock { if $0 == .open { $0 = .settled } } }
}
