import FlowDebugging
import PlainValue
import TestSupport
import Testing

/// `debug`: each number of a request is replaced by the least, the greatest, fractions and other
/// values. Each request is answered, and afterwards the debugger goes on.
@Suite struct DebugNumbersTests {
    private static let flow = """
        local Flow = { name = "flow", state = { n = 0, list = { 1, 2, 3 } } }
        Flow.apply = {
            add = function(state, action)
                local by = 1
                state.n = state.n + by
            end,
        }
        function Flow.render(state, context) return { n = state.n, list = state.list } end
        return Flow
        """

    private func requests(in file: String) -> [(command: String, arguments: Value)] {
        let source: Value = ["path": .string(file), "sourceReference": 0]
        return [
            ("threads", [:]), ("stackTrace", ["threadId": 1, "startFrame": 0, "levels": 20]),
            ("scopes", ["frameId": 1]),
            ("variables", ["variablesReference": 1, "start": 0, "count": 10]),
            ("variables", ["variablesReference": 3, "start": 0, "count": 10, "filter": "indexed"]),
            ("evaluate", ["expression": "state.n", "frameId": 1, "context": "watch"]),
            ("completions", ["text": "sta", "column": 3, "line": 1, "frameId": 1]),
            ("breakpointLocations", ["source": source, "line": 1, "endLine": 9, "column": 1]),
            ("setBreakpoints", ["source": source, "breakpoints": [["line": 5, "column": 1]]]),
            ("setBreakpoints", ["source": source, "lines": [5, 6]]),
            ("dataBreakpointInfo", ["variablesReference": 3, "name": "n", "frameId": 1]),
            ("source", ["source": source, "sourceReference": 1]),
            ("cancel", ["requestId": 1, "progressId": "1"]),
            ("stepBack", ["threadId": 1]), ("next", ["threadId": 1]),
            ("reverseContinue", ["threadId": 1]), ("stepIn", ["threadId": 1, "targetId": 1]),
            ("exceptionInfo", ["threadId": 1]), ("restartFrame", ["frameId": 1]),
            ("continue", ["threadId": 1]),
        ]
    }

    @Test func requestsAreAnswered() async throws {
        let scene = try Folder(["flow.lua": Self.flow])
        let file = scene.path("flow.lua")
        let client = try DebugClient()
        try await client.launch(
            ["program": .string(file), "actions": ["add", "add"]], in: file, [["line": 5]])
        let cases = CaseFile("debug")
        func check(_ command: String, _ arguments: Value, _ what: String) async throws {
            cases.begin("\(command): \(what)")
            let answer = try await client.ask(command, arguments)
            #expect(answer["success"]?.bool != nil, "\(command) \(arguments)")
            if answer["success"] == false {
                #expect(answer["message"]?.string?.isEmpty == false, "\(command) \(arguments)")
            }
            #expect(try await client.ask("threads")["success"] == true)
            // The requests are about a stop.
            if client.all.last(where: { $0["event"] != nil })?["event"] != "stopped" {
                try await client.ask("pause")
            }
        }
        for (command, arguments) in requests(in: file) {
            for (what, changed) in NumberCases.changed(arguments) {
                _ = try await client.ask("stackTrace", ["threadId": 1])
                _ = try await client.ask("scopes", ["frameId": 1])
                try await check(command, changed, what)
            }
        }
        var numbers = SeededNumbers.printed()
        for _ in 0..<300 {
            guard let (command, arguments) = requests(in: file).randomElement(using: &numbers)
            else { continue }
            let (what, changed) = NumberCases.shuffled(arguments, by: &numbers)
            try await check(command, changed, what)
        }
        for text in NumberCases.texts {
            let breakpoint: Value = ["line": 5, "hitCondition": .string("% \(text)")]
            try await check(
                "setBreakpoints", ["source": ["path": .string(file)], "breakpoints": [breakpoint]],
                text)
            for command in [".goto \(text)", ".diff \(text)", ".step \(text)"] {
                try await check(
                    "evaluate", ["expression": .string(command), "context": "repl"], command)
            }
            try await check(
                "setDataBreakpoints",
                ["breakpoints": [["dataId": .string("state|flow|list[\(text)]")]]], text)
            for name in ["[\(text)]", "list[\(text)]"] {
                try await check(
                    "dataBreakpointInfo", ["variablesReference": 3, "name": .string(name)], name)
            }
        }
        cases.end()
    }

    @Test func stepsToBeginAtAreTakenOrRefused() async throws {
        for value in NumberCases.values {
            let scene = try Folder(["flow.lua": Self.flow])
            let client = try DebugClient()
            var arguments: Value = ["program": .string(scene.path("flow.lua")), "actions": ["add"]]
            arguments["at"] = value
            try await client.launch(arguments)
            try await client.ask("pause")
            #expect(try await client.ask("threads")["success"] == true)
        }
    }

    @Test func numbersOfMessagesAreTakenOrRefused() throws {
        let request: Value = ["type": "request", "seq": 1, "command": "threads"]
        var read = 0
        for (_, changed) in NumberCases.changed(request) where DebugRequest(changed) != nil {
            read += 1
        }
        // 0, -0.0, 2^31 and 2^53.
        #expect(read == 4)
        for text in NumberCases.texts {
            var reader = DebugMessageReader()
            reader.add("Content-Length: \(text)\r\n\r\n".utf8)
            // One that is to come is waited for.
            _ = reader.next()
            reader.add(DebugMessageReader.bytes(of: request))
            _ = reader.next()
        }
    }

    /// A request is answered even if some part of it is not a value.
    @Test(arguments: [
        "{\"seq\":7,\"type\":\"request\",\"command\":\"threads\","
            + "\"arguments\":{\"a\":[9223372036854775808]}}",
        "{\"arguments\":{\"a\":{\"seq\":1e999}},\"command\":\"threads\",\"type\":\"request\",\"seq\":7}",
        "{\"a\":\"\\\"}\\ud800\",\"seq\": 7 ,\"type\":\"request\", \"command\" :\"threads\"}",
        "{\"a\":1,\"a\":2,\"type\":\"request\",\"seq\":7,\"command\":\"threads\",\"arguments\":null}",
        "{\"arguments\":\(String(repeating: "[", count: 2000))\(String(repeating: "]", count: 2000)),"
            + "\"seq\":7,\"type\":\"request\",\"command\":\"threads\"}",
    ]) func aRequestWithAPartThatIsNotAValueIsAnswered(_ body: String) async throws {
        var reader = DebugMessageReader()
        reader.add("Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
        guard case .unreadable(let reason, let request?)? = reader.next() else {
            Issue.record("it is not known as a request")
            return
        }
        #expect(reason.hasPrefix("a message cannot be read: line 1, column "))
        #expect(request.number == 7)
        #expect(request.command == "threads")
        #expect(reader.next().map { _ in true } == nil)
    }

    @Test(arguments: [
        "", "7", "[]", "{", "{\"seq\":}", "\"",
        "{\"seq\":7,\"type\":\"event\",\"command\":\"x\",\"a\":1e999}",
        "}{", "{\"seq\":9223372036854775808,\"type\":\"request\",\"command\":\"threads\"}",
    ])
    func otherTextsAreNotRequests(_ body: String) throws {
        var reader = DebugMessageReader()
        reader.add("Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
        switch reader.next() {
        case .unreadable(_, nil)?: break
        case .message(let value)?: #expect(DebugRequest(value) == nil)
        default: Issue.record("it was taken for a request")
        }
    }
}
