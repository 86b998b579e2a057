import Foundation
import LuaVM
import Synchronization
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

@testable import FlowREPL
@testable import WorkflowCommand

/// A REPL without a terminal, and what is said in it.
struct Conversation {
    let repl: REPL
    private let clock: TestTime

    /// - Parameters:
    ///   - file: The flow's file; an example's, or one in a scene.
    ///   - timeLimit: How long one call may take; by default longer than on a crowded machine.
    ///   - runsWorkers: Whether workers do anything by themselves.
    init(
        _ file: String?, timeLimit: Duration = .unreached, runsWorkers: Bool = false,
        columns: Int = 80
    ) async throws {
        let clock = TestTime()
        self.clock = clock
        var settings = REPL.Settings()
        settings.options.limits.timeLimit = timeLimit
        settings.options.runsWorkers = runsWorkers
        settings.options.now = { clock.milliseconds }
        settings.columns = { columns }
        repl = try await REPL.open(file.map { .file($0) }, settings: settings)
        _ = await repl.news()
    }

    /// The session that is talked about.
    var session: FlowSession {
        get async throws { try #require(await repl.session as? FlowSession) }
    }

    /// An example that is played.
    static func example(_ name: String) async throws -> Conversation {
        try await Conversation(
            BuildFolder.example(name).appendingPathComponent("\(name).lua").path)
    }

    /// Takes lines one after the other: the prompts, the lines and what is said, as a terminal
    /// would show them.
    func say(_ lines: String...) async -> String {
        var text = ""
        for line in lines {
            text += await repl.prompt + line + "\n"
            text += await answer(line)
        }
        return text
    }

    /// What is said of a line alone.
    func answer(_ line: String) async -> String {
        clock.goOn()
        return await repl.respond(to: line).messages.map(\.text).joined()
    }
}

/// A time in which each line takes half a second.
private final class TestTime: Sendable {
    private let time = Mutex(0)

    var milliseconds: Int { time.withLock { $0 } }
    func goOn() { time.withLock { $0 += 500 } }
}
