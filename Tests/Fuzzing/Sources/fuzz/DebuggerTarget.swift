import Dispatch
import FlowDebugging
import PlainValue
import Synchronization
import WorkflowKit
import WorkflowLua

/// Lines as messages to the debugger of a recording: each request is answered, and it goes on.
enum DebuggerTarget: FuzzTarget {
    static let seeds = [
        #"{"command":"setBreakpoints","arguments":{"source":{"path":"flow.lua"},"breakpoints":"#
            + #"[{"line":4,"condition":"state.n > 1","hitCondition":"2"},{"line":5,"#
            + #""logMessage":"n is {state.n}"}]}}"# + "\n" + #"{"command":"continue"}"#,
        #"{"command":"setFunctionBreakpoints","arguments":{"breakpoints":[{"name":"add"}]}}"#
            + "\n" + #"{"command":"next","arguments":{"threadId":1,"granularity":"line"}}"#,
        #"{"command":"setExceptionBreakpoints","arguments":{"filters":["failed","limit"]}}"#
            + "\n" + #"{"command":"continue"}"# + "\n" + #"{"command":"exceptionInfo"}"#,
        #"{"command":"dataBreakpointInfo","arguments":{"name":"n","variablesReference":1}}"#
            + "\n" + #"{"command":"setDataBreakpoints","arguments":{"breakpoints":"#
            + #"[{"dataId":"state n","accessType":"write"}]}}"# + "\n"
            + #"{"command":"reverseContinue"}"#,
        #"{"command":"breakpointLocations","arguments":{"source":{"path":"flow.lua"},"#
            + #""line":1,"endLine":20}}"# + "\n" + #"{"command":"loadedSources"}"#,
        #"{"command":"threads"}"# + "\n"
            + #"{"command":"stackTrace","arguments":{"threadId":1,"startFrame":0,"levels":20}}"#
            + "\n" + #"{"command":"scopes","arguments":{"frameId":1}}"# + "\n"
            + #"{"command":"variables","arguments":{"variablesReference":1,"start":0,"count":9}}"#,
        #"{"command":"evaluate","arguments":{"expression":"state.n + 1","frameId":1,"#
            + #""context":"watch"}}"# + "\n"
            + #"{"command":"evaluate","arguments":{"expression":".why n","context":"repl"}}"#,
        #"{"command":"completions","arguments":{"text":"state.","column":7,"frameId":1}}"#,
        #"{"command":"source","arguments":{"sourceReference":1,"source":{"path":"flow.lua"}}}"#,
        #"{"command":"stepIn","arguments":{"granularity":"instruction"}}"# + "\n"
            + #"{"command":"stepOut"}"# + "\n" + #"{"command":"stepBack"}"# + "\n"
            + #"{"command":"pause"}"#,
        #"{"command":"gotoTargets","arguments":{"source":{"path":"flow.lua"},"line":4}}"# + "\n"
            + #"{"command":"goto","arguments":{"threadId":1,"targetId":2}}"#,
        #"{"command":"restartFrame","arguments":{"frameId":1}}"# + "\n"
            + #"{"command":"restart"}"# + "\n" + #"{"command":"cancel","arguments":"#
            + #"{"requestId":3}}"# + "\n" + #"{"command":"terminate"}"#,
        #"{"command":"disconnect","arguments":{"terminateDebuggee":true}}"#,
    ].map { Array($0.utf8) }

    static func run(_ bytes: UnsafeRawBufferPointer) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(20)
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            await answer(lines.map(String.init))
            end.signal()
        }
        end.wait()
    }

    private static func answer(_ lines: [String]) async {
        let answered = Answered()
        let options = DebugAdapter.Options(flowOptions: .fuzzing, secrets: ["title"]) { _, _ in
            RecordedSubject(try FlowRecording(parsing: RecordingTarget.steps), of: .fuzzed)
        }
        let adapter = DebugAdapter(options) { answered.note($0) }
        var reader = DebugMessageReader()
        var number = 0
        func ask(_ message: Value) async -> Bool {
            number += 1
            var message = message
            message["seq"] = .int(number)
            message["type"] = "request"
            reader.add(DebugMessageReader.bytes(of: message))
            guard case .message(let read)? = reader.next(), let request = DebugRequest(read) else {
                return true
            }
            adapter.hurry(request)
            let goesOn = await adapter.handle(request)
            while !answered.has(number) { await Task.yield() }
            return goesOn
        }
        _ = await ask(["command": "initialize"])
        _ = await ask(["command": "launch"])
        guard answered.succeeded(number) else { contradiction("the recording is not opened") }
        var goesOn = await ask(["command": "configurationDone"])
        for line in lines where goesOn {
            guard let message = try? Value(json: line.utf8), message.record != nil else {
                // Not a message: it is told, and what follows is read.
                reader.add("Content-Length: \(line.utf8.count)\r\n\r\n\(line)".utf8)
                guard reader.next() != nil else { contradiction("a message is waited for") }
                continue
            }
            goesOn = await ask(message)
        }
        if goesOn {
            _ = await ask(["command": "threads"])
            _ = await ask(["command": "disconnect"])
        }
        adapter.clientHasGone()
    }

    /// The requests that were answered, and whether they could be done.
    private final class Answered: Sendable {
        private let answers = Mutex<[Int: Bool]>([:])

        func note(_ message: Value) {
            guard message["type"] == "response", let number = message["request_seq"]?.int else {
                return
            }
            let known = answers.withLock {
                $0.updateValue(message["success"] == true, forKey: number)
            }
            if known != nil { contradiction("answered twice: \(message.json)") }
        }

        func has(_ number: Int) -> Bool { answers.withLock { $0[number] != nil } }

        func succeeded(_ number: Int) -> Bool { answers.withLock { $0[number] == true } }
    }
}
