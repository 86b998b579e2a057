// Without these packages a test could neither fail nor say what differs.
#if !Packages
    #error(
        """
        WorkflowTesting needs swift-custom-dump and xctest-dynamic-overlay, which come with the \
        trait Packages: where your Package.swift depends on this package, leave `traits: []` away, \
        or name "Packages" in it
        """)
#endif
import IssueReporting

final class TestSteps {
    private var lines: [String] = []

    func record(_ step: String) { lines.append(step) }

    func fail(_ message: String, at place: TestLocation) {
        var text = message
        if !lines.isEmpty {
            text += "\n\nSteps so far:"
            for (index, line) in lines.enumerated() { text += "\n  \(index + 1). \(line)" }
        }
        reportIssue(
            text, fileID: place.fileID, filePath: place.filePath, line: place.line,
            column: place.column)
    }

    /// The value, or nil after a failed test.
    func require<Value>(_ value: Value?, or message: String, at place: TestLocation) -> Value? {
        if value == nil { fail(message, at: place) }
        return value
    }

    func refuse<Value>(_ name: String, _ values: [Value], at place: TestLocation) {
        for value in values { fail("Unexpected \(name): \(brief(value))", at: place) }
    }

    func compare<Output: Equatable>(
        output expected: Output, with output: Output?, at place: TestLocation
    ) {
        let absence = "There was no output; expected \(brief(expected))."
        guard let output = require(output, or: absence, at: place) else { return }
        compare("The output differs", expected, output, at: place)
    }

    func compare<Value: Equatable>(
        _ message: String, _ expected: Value, _ actual: Value, at place: TestLocation
    ) {
        guard expected != actual else { return }
        fail("\(message):\n\n\(difference(expected: expected, actual: actual))", at: place)
    }
}

struct TestLocation {
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt

    init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }
}
