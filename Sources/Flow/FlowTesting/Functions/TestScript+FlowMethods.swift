import LuaVM
import PlainValue
import WorkflowKit

// The methods of a tested flow, by their names in Lua.
extension TestScript {
    func makeFlowMethods() throws(LuaError) -> [String: LuaReference] {
        [
            "send": try flowMethod("send") { flow, call in
                let action = try call.given(at: 2, "an action, or a sink of the rendering")
                let fields = try call.record(at: 3, name: "fields")
                try flow.send(action, with: fields)
            },
            "update": try flowMethod("update") { flow, call in
                let props = try call.record(at: 2, name: "props")
                try flow.update(props: .record(props))
            },
            "advance": try flowMethod("advance") { flow, call in
                guard let seconds = call.scalar(at: 2)?.number, (0...1e9).contains(seconds) else {
                    throw LuaError.misuse(
                        "advance needs a number of seconds from 0 to 1000000000", "flow:advance(5)")
                }
                try flow.advance(by: seconds)
            },
            "undo": try flowMethod("undo") { flow, _ in try flow.move(by: -1) },
            "redo": try flowMethod("redo") { flow, _ in try flow.move(by: 1) },
            "loosely": try flowMethod("loosely") { flow, _ in flow.isLoose = true },
            "by": try flowMethod("by", toleratesErrors: true) { flow, call in
                flow.principal = call.string(at: 2)
            },
            "worker": try makeWorkerFunction(),
            "allows": try makeAllowsFunction(),
            "expect_no_worker": try flowMethod("expect_no_worker") { flow, call in
                try flow.expectNoWorker(call.string(at: 2))
            },
            "expect_rendering": try flowMethod("expect_rendering") { flow, call in
                let expected = try call.given(at: 2, "what is expected of the rendering")
                try flow.expect(flow.rendering, expected, "the rendering", isPartial: true)
            },
            "expect_state": try flowMethod("expect_state") { flow, call in
                let expected = try call.given(at: 2, "what is expected of the state")
                try flow.expectState(expected, of: call.string(at: 3))
            },
            "expect_output": try flowMethod("expect_output") { flow, call in
                let expected = try call.given(at: 2, "the output that is expected")
                try flow.expectOutput(expected)
            },
            "expect_no_output": try flowMethod("expect_no_output") { flow, _ in
                try flow.expectNoOutput()
            },
            "expect_error": try flowMethod("expect_error", toleratesErrors: true) {
                flow, call in
                let expected = try call.given(at: 2, "a part of the message, or { code = … }")
                try flow.expectError(expected)
            },
            "expect_golden": try goldenMethod(),
        ]
    }

    private func goldenMethod() throws(LuaError) -> LuaReference {
        // Captures the folder alone, as the interpreter's function would retain the script.
        try flowMethod("expect_golden") { [goldens] flow, call in
            guard let name = call.string(at: 2), name.isFileName else {
                throw LuaError.misuse(
                    "expect_golden needs a name of letters, digits, spaces, '-' and '_'",
                    "flow:expect_golden(\"empty cart\")")
            }
            guard let goldens else {
                throw LuaError.misuse(
                    "expect_golden needs tests in a file, to put its own beside it")
            }
            try goldens.check(flow.rendering, name: name)
        }
    }

    private func makeAllowsFunction() throws(LuaError) -> LuaReference {
        try function("allows") { script, call in
            guard case .flow(let flow)? = script.subject(of: call) else {
                throw Self.notCalledOn("flow", call)
            }
            try flow.checkErrors()
            let principal = try call.given(at: 2, "who it is, and what they want to do")
            let what = try call.record(at: 3, name: "what they want to do")
            return .value(.bool(try flow.allows(Principal(principal), .record(what))))
        }
    }

    private func makeWorkerFunction() throws(LuaError) -> LuaReference {
        try function("worker") { script, call in
            guard case .flow(let flow)? = script.subject(of: call) else {
                throw LuaError.misuse("write flow:worker(\"http.get\") with a colon")
            }
            try flow.checkErrors()
            guard let name = call.string(at: 2) else {
                throw LuaError.misuse(
                    "worker needs the name of a worker", "flow:worker(\"http.get\")")
            }
            var (key, node): (String?, String?)
            switch call.scalar(at: 3) {
            case .string(let text): key = text
            case .int(let number): key = String(number)
            default:
                let options = try call.record(at: 3, name: "the options of worker")
                key = options["key"]?.string ?? options["key"]?.int.map { String($0) }
                node = options["node"]?.string
            }
            let worker = try flow.mention(name, key: key, node: node)
            return try script.makeObject(.worker(flow, worker), of: script.types?.worker)
        }
    }
}

extension String {
    /// True if this can be the name of a file on any system.
    fileprivate var isFileName: Bool {
        !isEmpty && count <= 100
            && utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20, 0x2D, 0x5F: true
                default: false
                }
            }
    }
}
