import LuaSyntax
import PlainValue
import WorkerKit
import WorkflowLua
import WorkflowPlugins

extension FileRules {
    private struct TestObject {
        let group: HostGroup
        /// Its name in messages.
        let title: String
        /// The way in which its functions are called.
        let call: String
    }

    private static let flow = TestObject(
        group: HostAPI.testedFlow, title: "a tested flow", call: "flow")
    private static let worker = TestObject(
        group: HostAPI.testedWorker, title: "a worker in a test", call: "worker")
    private static let expectation = TestObject(
        group: HostAPI.expectation, title: "expect(…)", call: "expect(…)")

    mutating func checkTests() {
        for call in source.calls {
            checkMethod(of: call)
            checkPlayedWorker(of: call)
            checkExpectation(call)
            checkTest(call)
            checkPlace(ofTestCall: call)
            checkCallOfShown(call)
            checkProtected(call)
            if isTest(call.callee), let props = call.argument(1)?.table {
                checkProps(props, of: call.arguments[0])
            }
        }
        for use in source.fields {
            if use.kind.isWrite { checkWriteToShown(use) } else { checkField(use) }
        }
    }

    // MARK: States and renderings

    /// The name of the field of a tested flow in which an expression is: `state` or `rendering`.
    private func shown(_ expression: LuaExpression) -> String? {
        switch expression {
        case .field(let base, let name, _):
            if object(base)?.group.name == "flow" { return name }
            return shown(base)
        case .element(let base, _, _): return shown(base)
        default: return nil
        }
    }

    private mutating func checkWriteToShown(_ use: LuaSource.FieldUse) {
        guard let name = shown(use.base) else { return }
        report(
            .context, use.place, "flow.\(name) is read-only; send an action that changes the state")
    }

    /// Reports a sink of a rendering that is called.
    private mutating func checkCallOfShown(_ call: LuaCallExpression) {
        guard shown(call.callee) == "rendering" else { return }
        if let method = call.method {
            // A text of the rendering has the functions of strings.
            let strings = HostAPI.libraries.first { $0.name == "string" }
            guard strings?[method] == nil else { return }
        } else if case .field(let base, _, _) = call.callee, shown(base) == nil {
            return
        }
        report(
            .context, call.place,
            "a rendering holds plain values; send a sink with flow:send(flow.rendering.add)")
    }

    // MARK: Names

    private mutating func checkMethod(of call: LuaCallExpression) {
        if let method = call.method {
            guard let object = object(call.callee) else { return }
            let functions = object.group.members.filter { $0.parameters != nil }.map(\.name)
            guard !functions.contains(method) else { return }
            report(
                .context, call.place,
                "\(object.title) has no function '\(method)'"
                    + suggestion(for: method, among: functions, noun: "functions"))
        } else if case .field(let base, let name, let place) = call.callee,
            let object = object(base), object.group[name]?.parameters != nil,
            call.arguments.first?.variable == nil
                || call.arguments.first?.variable !== base.variable
        {
            report(.context, place, "write \(object.call):\(name)(…) with a colon")
        }
    }

    private mutating func checkField(_ use: LuaSource.FieldUse) {
        if use.base.global == "assert" {
            report(
                .library, use.place,
                "assert is a function and has no fields; write expect(value):equals(…)")
        } else if isWorkflow(use.base), HostAPI.module[use.name] == nil {
            report(
                .library, use.place,
                "workflow has no '\(use.name)'"
                    + suggestion(for: use.name, among: HostAPI.module.names, noun: "fields"))
        } else if let object = object(use.base), object.group[use.name] == nil {
            report(
                .context, use.place,
                "\(object.title) has no '\(use.name)'"
                    + suggestion(for: use.name, among: object.group.names, noun: "fields"))
        }
    }

    private mutating func checkPlayedWorker(of call: LuaCallExpression) {
        guard call.method == "worker" || call.method == "expect_no_worker",
            object(call.callee)?.group.name == "flow", let name = call.arguments.first?.text
        else { return }
        _ = worker(named: name, at: call.places[0])
    }

    /// The object of tests that an expression certainly is. It follows at most `hops` variables, as
    /// one may be assigned from itself.
    private func object(_ expression: LuaExpression, hops: Int = 2) -> TestObject? {
        switch expression {
        case .variable(let variable, _):
            guard hops > 0, variable.assignments.count <= Self.mostAssignments else { return nil }
            let objects = variable.values.filter { !$0.isNil }.map { value in
                value.call == nil ? nil : object(value, hops: hops - 1)
            }
            guard let first = objects.first ?? nil,
                objects.allSatisfy({ $0?.group.name == first.group.name })
            else { return nil }
            return first
        case .call(let call):
            if isTest(call.callee) { return Self.flow }
            if call.method == "worker", object(call.callee, hops: hops)?.group.name == "flow" {
                return Self.worker
            }
            return call.method == nil && call.callee.global == "expect" ? Self.expectation : nil
        default: return nil
        }
    }

    /// The most assignments of a variable that are looked at.
    private static let mostAssignments = 8

    private func isWorkflow(_ expression: LuaExpression) -> Bool {
        expression.global == "workflow"
            || expression.variable != nil && requiredModule(expression) == "workflow"
    }

    // MARK: Expectations

    /// Reports an `expect` that expects nothing.
    private mutating func checkExpectation(_ call: LuaCallExpression) {
        guard call.callee.global == "expect", call.method == nil, call.isStatement else { return }
        report(
            .context, call.place,
            "this expects nothing of the value; write expect(value):equals(…), :matches(…) or "
                + ":fails(…)")
    }

    private static let groups: Set<String> = ["describe", "it", "pending"]

    /// Reports tests without a name or a function, tests in tests, and flows made outside of tests.
    private mutating func checkPlace(ofTestCall call: LuaCallExpression) {
        if isTest(call.callee) {
            let hasTests = source.calls.contains { $0.callee.global == "it" }
            // The functions of groups run while tests are defined, as the file does.
            guard hasTests,
                call.function === source.main || isArgument(call.function, of: "describe")
            else { return }
            report(
                .context, call.place,
                "workflow.test works in tests only; call it in it(…) or before_each(…), so that "
                    + "each test has a flow of its own")
            return
        }
        guard let name = call.callee.global, call.method == nil, Self.groups.contains(name) else {
            return
        }
        if let first = call.arguments.first, first.isLiteral, first.text == nil {
            report(.context, call.places[0], "\(name) needs a name; write \(name)(\"adds\", …)")
        } else if call.arguments.count == 1, name != "pending" {
            report(
                .context, call.place,
                "\(name) needs a function; write \(name)(\"adds\", function() … end)")
        } else if let parameter = call.argument(1)?.function?.parameters.first {
            report(
                .context, parameter.place,
                "\(name) gives its function nothing; leave '\(parameter.name)' out")
        } else if isOfTest(call.function) {
            report(
                .context, call.place,
                "\(name) stands in a test; end that test before it, or put both into describe")
        }
    }

    private func isOfTest(_ function: LuaFunction) -> Bool {
        isArgument(function, of: "it") || function.outer.map(isOfTest) ?? false
    }

    private func isArgument(_ function: LuaFunction, of name: String) -> Bool {
        source.calls.contains { call in
            call.callee.global == name && call.arguments.contains { $0.function === function }
        }
    }

    /// Reports an expectation in a function that is protected.
    private mutating func checkProtected(_ call: LuaCallExpression) {
        let isExpectation =
            call.method.map { $0.hasPrefix("expect_") && object(call.callee) != nil }
            ?? (call.callee.global == "expect")
        guard isExpectation,
            source.calls.contains(where: { other in
                ["pcall", "xpcall"].contains(other.callee.global)
                    && other.arguments.first?.function === call.function
            })
        else { return }
        report(
            .context, call.place,
            "an expectation that fails fails the test, in pcall too; leave out pcall, or write "
                + "expect(function() … end):fails()")
    }

    private static let quiet: Set<String> = [
        "advance", "by", "loosely", "redo", "send", "undo", "update",
    ]

    /// Reports a test that certainly expects nothing.
    private mutating func checkTest(_ call: LuaCallExpression) {
        guard call.callee.global == "it", let range = call.argument(1)?.function?.range else {
            return
        }
        let calls = source.calls.filter { range.contains($0.place) }
        let expectsNothing = calls.allSatisfy { call in
            if let method = call.method {
                guard let object = object(call.callee) else { return false }
                return object.group.name == "flow" && Self.quiet.contains(method)
            }
            if isTest(call.callee) { return true }
            switch call.callee {
            case .global(let name, _): return !["assert", "error", "expect"].contains(name)
            case .field(.global, _, _): return true
            default: return false
            }
        }
        guard expectsNothing else { return }
        report(
            .context, call.place,
            "this test expects nothing; end it with flow:expect_rendering { … } or "
                + "expect(value):equals(…)")
    }
}
