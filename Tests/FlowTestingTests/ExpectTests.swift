import FlowTesting
import Testing
import WorkflowKit
import WorkflowLua

@Suite struct ExpectTests {
    @Test(arguments: [
        "expect({ a = 1, b = { 1, 2 } }):equals { a = 1.0, b = { 1, 2 } }",
        "expect({ a = 1, b = 2 }):matches { a = 1, c = workflow.null }", "expect({}):equals {}",
        "expect(workflow.record()):equals {}", "expect({ a = 1 }):matches(workflow.record())",
        "expect({ a = { x = 1, y = 2 } }):matches { a = { x = workflow.any } }",
        "expect(function() error(\"a.b failed\") end):fails \"a.b\"",
        "expect(function() error({}) end):fails()", "expect(\"x\"):equals \"x\"",
        "expect(nil):equals(nil)",
    ]) func passesFor(_ text: String) throws { #expect(try passes(text)) }

    @Test(arguments: [
        ("expect({ a = 1, b = 2 }):equals { a = 1 }", ["+ b = 2"]),
        ("expect({ 1, 2, 3 }):matches { 1, 3 }", ["- [2] = 3", "+ [2] = 2", "+ [3] = 3"]),
        (
            "expect({ a = 1 }):matches {}",
            ["- {}", "+ { a = 1 }", "  {} expects an empty table; workflow.any expects anything"]
        ),
        ("expect({ a = 1 }):matches { a = workflow.null }", ["+ a = 1"]),
        ("expect({}):matches { a = workflow.any }", ["- { a = { [\"$any\"] = true } }", "+ {}"]),
        ("expect(1):equals \"1\"", ["- \"1\"", "+ 1"]),
        ("expect(1):equals(1.5)", ["- 1.5", "+ 1"]),
        ("expect(function() error(\"one\") end):fails \"two\"", ["- \"two\"", "+ \"one\""]),
    ]) func failsFor(_ text: String, _ lines: [String]) throws {
        #expect(try failure(of: text).mismatches.flatMap(\.lines) == lines)
    }

    @Test func aFunctionThatDoesNotFailFailsTheTest() throws {
        let failure = try failure(of: "expect(function() end):fails \"x\"")
        #expect(failure.error.message == "the function did not fail")
        let value = try FlowTestingTests.failure(of: "expect(1):fails \"x\"")
        #expect(value.error.message == "fails needs a function")
    }
}
