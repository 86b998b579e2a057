import Foundation
import TestSupport

/// A shell that runs a command and collects its output. An interactive one gets its own terminal.
/// `@unchecked Sendable` because the reading thread only passes on what it reads.
final class ShellProcess: @unchecked Sendable {
    /// Output from the reading thread, or the end of the time.
    private enum News {
        case text(String)
        case timeUp(Int)
    }

    /// The seconds after which a missing answer is an error.
    static let patience = CommandFolder.isUpdating ? 2.0 : TestSupport.patience

    private let process = Process()
    private let news: AsyncStream<News>
    private let continuation: AsyncStream<News>.Continuation
    private lazy var iterator = news.makeAsyncIterator()
    private var raw = ""
    private var waits = 0
    private let terminal: PseudoTerminal?

    init(
        _ command: String, in folder: URL, environment: [String: String], isOnTerminal: Bool
    ) throws {
        (news, continuation) = AsyncStream<News>.makeStream()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let continuation = continuation
        let onText: @Sendable (String) -> Void = { continuation.yield(.text($0)) }
        let onEnd: @Sendable () -> Void = { continuation.finish() }
        if isOnTerminal {
            let terminal = try PseudoTerminal()
            self.terminal = terminal
            let end = try terminal.openProgramEnd()
            process.standardInput = end
            process.standardOutput = end
            process.standardError = end
            try process.run()
            // Otherwise the terminal stays open after the program has ended.
            try end.close()
            terminal.read(onText: onText, onEnd: onEnd)
        } else {
            terminal = nil
            let pipe = Pipe()
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            let reader = pipe.fileHandleForReading
            readText(from: reader.fileDescriptor, onText: onText) {
                // Foundation keeps the pipes of an ended process.
                try? reader.close()
                onEnd()
            }
        }
    }

    func type(_ text: String) { terminal?.type(text) }

    func waits(for text: String) async -> Bool {
        let text = text.withoutTimes
        waits += 1
        let (wait, continuation) = (waits, continuation)
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) {
            continuation.yield(.timeUp(wait))
        }
        while shown.withoutTimes != text {
            switch await iterator.next(isolation: #isolation) {
            case .text(let text): raw += text
            case .timeUp(wait), nil: return false
            case .timeUp: continue
            }
        }
        return true
    }

    func end() { process.terminate() }

    /// The output and the exit status. A program that does not end is killed.
    func finish() async -> (shown: String, status: Int32) {
        waits += 1
        let (wait, continuation) = (waits, continuation)
        DispatchQueue.global().asyncAfter(deadline: .now() + 2 * Self.patience) {
            continuation.yield(.timeUp(wait))
        }
        reading: while true {
            switch await iterator.next(isolation: #isolation) {
            case .text(let text): raw += text
            case .timeUp(wait):
                process.terminate()
                raw += "\nkilled, since it did not end"
                break reading
            case .timeUp: continue
            case nil: break reading
            }
        }
        process.waitUntilExit()
        return (shown, process.terminationStatus)
    }

    /// The output so far, as on a terminal that can erase: a worker's output is above the prompt.
    private var shown: String {
        let lines = raw.replacingOccurrences(of: "\r\n", with: "\n").components(separatedBy: "\n")
        return lines.enumerated().filter { index, line in
            let prompt = Command.prompted(line)
            return index == lines.count - 1 || prompt == nil || prompt?.typed != ""
        }.map(\.element).joined(separator: "\n")
    }
}
