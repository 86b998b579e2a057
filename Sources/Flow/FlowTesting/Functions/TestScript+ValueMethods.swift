import LuaVM
import PlainValue
import WorkflowLua

// The methods of `expect(value)`, by their names in Lua.
extension TestScript {
    func makeValueMethods() throws(LuaError) -> [String: LuaReference] {
        [
            "equals": try valueMethod("equals") { script, subject, call in
                try script.compare(subject, call, isPartial: false)
            },
            "matches": try valueMethod("matches") { script, subject, call in
                try script.compare(subject, call, isPartial: true)
            },
            "fails": try valueMethod("fails") { script, subject, call in
                try script.expectFailure(of: subject, call.string(at: 2))
            },
        ]
    }

    private func compare(
        _ subject: LuaReference, _ call: borrowing LuaCall, isPartial: Bool
    ) throws(LuaError) {
        let expected = try call.value(at: 2, root: "expected")
        let found = try vm.encode(subject, root: "value")
        let mismatches = found.mismatches(with: expected, isPartial: isPartial)
        guard mismatches.isEmpty else {
            throw LuaError(
                raising: FlowTestFailure(.otherValue, "the value", mismatches: mismatches))
        }
    }

    /// Calls a function that is expected to raise an error with this text in it.
    private func expectFailure(of function: LuaReference, _ text: String?) throws(LuaError) {
        guard vm.type(of: function) == .function else {
            throw LuaError.misuse(
                "fails needs a function",
                "expect(function() … end):fails(\"a part of the message\")")
        }
        var raised: LuaError?
        // A failed expectation in the function is the expected failure.
        let earlier = failedExpectation
        defer { if raised != nil { failedExpectation = earlier } }
        do throws(LuaError) { _ = try vm.call(function) } catch { raised = error }
        guard let raised else { throw LuaError(raising: FlowTestFailure(.noFailure)) }
        if raised.code.isLimit { throw raised }
        let message = failure(of: raised).error.message
        guard text.map({ message.containsText($0) }) ?? true else {
            throw LuaError(
                raising: FlowTestFailure(
                    .otherFailure,
                    mismatches: [
                        ValueMismatch(expected: text.map { .string($0) }, found: .string(message))
                    ]))
        }
    }
}
