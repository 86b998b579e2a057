import Foundation
import LuaVM
import Synchronization
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

@testable import FlowREPL

struct Conversation {
    let repl: REPL
    private let clock: TestTime

    /// An example's flow, or one in a scene. By default the time is enough for a busy machine.
    init(
        _ file: String?, timeLimit: Duration = .unreached, runsWorkers: Bool = false,
        columns: Int = 80, isolation: LuaVM.Options.Isolation = .none
    ) async throws {
        let clock = TestTime()
        self.clock = clock
        var options = REPL.Options()
        options.flowOptions.limits.timeLimit = timeLimit
        options.flowOptions.runsWorkers = runsWorkers
        options.flowOptions.isolation = isolation
        options.flowOptions.now = { clock.milliseconds }
        options.columns = { columns }
        repl = try await REPL.open(file.map { .file($0) }, options: options)
        _ = await repl.news()
    }

    var session: FlowSession {
        get async throws { try #require(await repl.session as? FlowSession) }
    }

    static func example(_ name: String) async throws -> Conversation {
        try await Conversation(Repository.example(name))
    }

    /// Enters lines one by one. Returns prompts, lines and output as a terminal would show them.
    func say(_ lines: String...) async -> String {
        var text = ""
        for line in lines {
            text += await repl.prompt + line + "\n"
            text += await answer(line)
        }
        return text
    }

    func answer(_ line: String) async -> String {
        clock.goOn()
        return await repl.respond(to: line).messages.map(\.text).joined()
    }
}

/// A clock on which each line takes half a second.
private final class TestTime: Sendable {
    private let time = Mutex(0)

    var milliseconds: Int { time.withLock { $0 } }
    func goOn() { time.withLock { $0 += 500 } }
}
