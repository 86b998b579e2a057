import PlainValue
package import WorkflowKit

/// A stored input. Its time is a separate number, which is shorter.
package struct StoredInput: Sendable {
    /// Milliseconds since 1970; `nil` in rows of version 1, whose documents contain the time.
    package let time: Int?
    package let text: String

    package init(time: Int?, text: String) {
        self.time = time
        self.text = text
    }

    package init(_ input: FlowInput) throws(StoreError) {
        var document = input.document
        if case .record(var fields) = document {
            fields["at"] = nil
            document = .record(fields)
        }
        time = input.milliseconds
        text = try StoredValue.text(of: document, "an input")
    }

    package func input() throws -> FlowInput {
        var document = try StoredValue.value(of: text)
        if let time, case .record(var fields) = document {
            fields["at"] = .int(time)
            document = .record(fields)
        }
        return try FlowInput(document: document)
    }
}
