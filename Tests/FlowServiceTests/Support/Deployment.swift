import HTTPServing
import Logging
import LuaVM
import PlainValue
import Synchronization
import TestSupport
import Testing
import Tracing
import WorkflowKit
import WorkflowLua
import WorkflowStore

@testable import FlowService

final class Messages: LogHandler, Sendable {
    private let all = Mutex<[String]>([])
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    private let allFaults = Mutex<[String]>([])

    var texts: [String] { all.withLock { $0 } }
    var faults: [String] { allFaults.withLock { $0 } }

    func log(event: LogEvent) {
        if event.level == .error {
            allFaults.withLock { $0.append("\(event.metadata?["detail"] ?? "")") }
        }
        let reason = event.metadata?["reason"].map { ": \($0)" } ?? ""
        all.withLock { $0.append("\(event.message)\(reason)") }
    }
}

/// A folder with a flow and a store, with sessions as a service plays them.
struct Deployment {
    let folder: Folder
    let store: SQLiteSessionStore
    let messages = Messages()

    static func counter(by factor: String = "1", comment: String = "", version: Int = 1) -> String {
        """
        -- \(comment)
        local step = require "step"
        return {
            name = "counter", version = \(version),
            state = function() return { count = 0 } end,
            migrate = function(old) return old end,
            apply = {
                add = function(state) state.count = step(state.count) end,
                late = function(state) state.count = require("late")(state.count) end,
            },
            render = function(state) return { count = state.count * \(factor) } end,
        }
        """
    }

    init(_ main: String = counter()) throws {
        folder = try Folder([
            "counter.lua": main, "step.lua": "return function(n) return n + 1 end",
            "late.lua": "return function(n) return n + 100 end",
        ])
        store = try SQLiteSessionStore(path: folder.path("sessions.db"), synchronization: .normal)
    }

    var flows: [ServiceOptions.Flow] {
        var options = FlowOptions()
        options.limits.timeLimit = .unreached
        return [.init(file: folder.path("counter.lua"), options: options)]
    }

    func write(_ text: String, to file: String = "counter.lua") throws {
        try folder.write(text, to: file)
    }

    func start(_ policy: CodePolicy) throws -> ServedSessions {
        ServedSessions(
            flows: try FlowTable(flows, code: ["counter": policy]), store: store,
            readers: SessionReaders(most: 1), limits: ServiceLimits(), processes: nil,
            traces: ServiceTraces(NoOpTracer()),
            logger: Logger(label: "test", factory: { _ in messages }))
    }

    func play(_ actions: [String], _ policy: CodePolicy) async throws {
        let sessions = try start(policy)
        try await sessions.pool.create("a", try #require(sessions.flows["counter"]).opening)
        try await sessions.pool.resume("a") { session in
            for action in actions { try await session.send(["type": .string(action)]) }
        }
        await sessions.close()
    }

    func count(after action: String? = nil, _ policy: CodePolicy) async throws -> Int? {
        let sessions = try start(policy)
        let result = await Result {
            try await sessions.pool.resume("a") { session in
                if let action { try await session.send(["type": .string(action)]) }
                return await session.rendering["count"]?.int
            }
        }
        await sessions.close()
        return try result.get()
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
