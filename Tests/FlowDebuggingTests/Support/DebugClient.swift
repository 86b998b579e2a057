import ArgumentParser
import FlowDebugging
import FlowREPL
import Foundation
import LuaVM
import PlainValue
import Synchronization
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

@testable import WorkflowCommand

final class DebugClient: Sendable {
    private let adapter: DebugAdapter
    private let messages = Mutex<[Value]>([])
    private let lastNumber = Mutex(0)

    /// - Parameter natives: Registers the native workflows that a flow may render.
    init(
        secrets: Set<String> = [],
        natives: @escaping @Sendable (inout NativeWorkflows) -> Void = { _ in }
    ) throws {
        let plugins = try PluginOptions.parse([])
        var options = FlowOptions()
        options.registerNativeWorkflows = natives
        options.secrets = secrets
        // However slow the machine is.
        options.limits.timeLimit = .unreached
        var adapterOptions = DebugAdapter.Options(flowOptions: options, secrets: secrets) {
            [options] command, arguments in
            try await DebugTarget(command, arguments).open(options, plugins)
        }
        adapterOptions.console = { [options] header, source in
            PastREPL(of: header, source, options: options)
        }
        let sent = Mutex<(@Sendable (Value) -> Void)?>(nil)
        let box = Box(sent)
        adapter = DebugAdapter(adapterOptions) { message in box.send(message) }
        box.set { [weak self] message in self?.messages.withLock { $0.append(message) } }
    }

    private final class Box: Sendable {
        private let body: Mutex<(@Sendable (Value) -> Void)?>

        init(_ body: consuming sending Mutex<(@Sendable (Value) -> Void)?>) { self.body = body }

        func set(_ new: @escaping @Sendable (Value) -> Void) { body.withLock { $0 = new } }

        func send(_ message: Value) { body.withLock { $0 }?(message) }
    }

    var all: [Value] { messages.withLock { $0 } }

    @discardableResult func ask(_ command: String, _ arguments: Value = [:]) async throws -> Value {
        let number = lastNumber.withLock { number in
            number += 1
            return number
        }
        let request = try #require(
            DebugRequest([
                "type": "request", "seq": .int(number), "command": .string(command),
                "arguments": arguments,
            ]))
        adapter.hurry(request)
        _ = await adapter.handle(request)
        // A command of the console is answered later.
        while true {
            if let answer = all.last(where: { $0["request_seq"]?.int == number }) { return answer }
            await Task.yield()
        }
    }

    /// Sends a request that may never end, and has others hurry it, when it is time, until it is
    /// answered: from a thread of its own, as what never ends may hold all others.
    @discardableResult func ask(
        hurrying command: String, _ arguments: Value,
        when isTime: @escaping @Sendable () -> Bool = { true }
    ) async throws -> Value {
        let isAnswered = Flag()
        Thread.detachNewThread { [self] in
            while !isAnswered.isRaised {
                if isTime() { try? pause() }
                sched_yield()
            }
        }
        defer { isAnswered.raise() }
        return try await ask(command, arguments)
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isRaised: Bool { value.load(ordering: .sequentiallyConsistent) }
        func raise() { value.store(true, ordering: .sequentiallyConsistent) }
    }

    /// Asks to stop what is being done, which may not have begun.
    func pause() throws { try hurry("pause") }

    /// Lets a request that is to act at once act, which is not handled.
    func hurry(_ command: String, _ arguments: Value = [:]) throws {
        adapter.hurry(
            try #require(
                DebugRequest([
                    "type": "request", "seq": 0, "command": .string(command),
                    "arguments": arguments,
                ])))
    }

    var hasStopped: Bool { all.contains { $0["event"] == "stopped" } }

    func launch(
        _ arguments: Value, in file: String? = nil, _ breakpoints: [Value] = [],
        before: [(String, Value)] = []
    ) async throws {
        try await ask("initialize", ["adapterID": "workflow"])
        let launched = try await ask("launch", arguments)
        try #require(launched["success"] == true, "\(launched)")
        if let file {
            try await ask(
                "setBreakpoints",
                ["source": ["path": .string(file)], "breakpoints": .list(Value.List(breakpoints))])
        }
        for (command, arguments) in before { try await ask(command, arguments) }
        try await ask("configurationDone")
    }

    func go(_ command: String, _ arguments: Value = ["threadId": 1]) async throws -> String {
        try await ask(command, arguments)
        return try await place
    }

    /// The reason and the place of the last stop: `breakpoint todo.lua:31 apply.toggle of todo`.
    var place: String {
        get async throws {
            let stopped = try #require(all.last { $0["event"] == "stopped" })["body"]
            let frame = try #require(try await frames.first)
            let file = frame["source"]?["name"]?.string ?? ""
            let text = stopped?["text"]?.string.map { " (\($0))" } ?? ""
            // The reason in words: the protocol names fewer.
            let reason = stopped?["description"]?.string?.prefix { $0 != ":" } ?? ""
            return "\(reason)\(text) \(file):\(frame["line"]?.int ?? 0) "
                + (frame["name"]?.string ?? "")
        }
    }

    var frames: [Value] {
        get async throws {
            let answer = try await ask("stackTrace", ["threadId": 1])
            return answer["body"]?["stackFrames"]?.list.map(Array.init) ?? []
        }
    }

    /// The variables of a scope of a frame, each as `name = value`.
    func variables(_ scope: String, frame: Int = 0) async throws -> [String] {
        let id = try await frames[frame]["id"] ?? 1
        let scopes = try await ask("scopes", ["frameId": id])["body"]?["scopes"]?.list ?? []
        guard let found = scopes.first(where: { $0["name"]?.string == scope }) else { return [] }
        let answer = try await ask(
            "variables", ["variablesReference": found["variablesReference"] ?? 0])
        return (answer["body"]?["variables"]?.list ?? []).map {
            "\($0["name"]?.string ?? "") = \($0["value"]?.string ?? "")"
        }
    }

    /// The value of an expression, or the reason why it has none.
    func value(of expression: String, context: String = "watch") async throws -> String {
        let answer = try await ask(
            "evaluate", ["expression": .string(expression), "context": .string(context)])
        return answer["body"]?["result"]?.string ?? answer["message"]?.string ?? ""
    }
}
