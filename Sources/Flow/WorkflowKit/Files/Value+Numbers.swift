package import PlainValue
package import WorkflowLua

// Numbers of files and requests are bounded where they are read, so that no sum can overflow.
extension Value {
    /// Reads a step, a sequence number, a count or a version: a whole number from 0 to 2⁵³.
    ///
    /// Returns `nil` if the field is missing. For any other value it throws an error that names the
    /// field and `what` it is part of.
    package func natural(
        _ field: String, _ code: FlowError.Code, of what: String? = nil
    ) throws(FlowError) -> Int? {
        try number(field, code, of: what, "a whole number from 0 to 2^53", \.natural)
    }

    /// Reads a field that holds a time, in milliseconds since 1970; see ``natural(_:_:of:)``.
    func time(
        _ field: String, _ code: FlowError.Code, of what: String? = nil
    ) throws(FlowError) -> Int? {
        try number(field, code, of: what, "a time in milliseconds since 1970", \.time)
    }

    private func number(
        _ field: String, _ code: FlowError.Code, of what: String?, _ expected: String,
        _ read: (Value) -> Int?
    ) throws(FlowError) -> Int? {
        guard let value = self[field] else { return nil }
        guard let number = read(value) else {
            let subject = "\"\(field)\"" + (what.map { " of \($0)" } ?? "")
            throw FlowError(
                code == .badRequest ? .badNumberOfRequest : .badNumber.with(code), subject,
                expected, value.summary(maxLength: 30))
        }
        return number
    }

    /// The time in milliseconds since 1970; `nil` if it is not one of the ``writtenTimes``.
    package var time: Int? { int.flatMap { writtenTimes.contains($0) ? $0 : nil } }

    /// The milliseconds since 1970 of an RFC 3339 text; `nil` for anything else.
    var moment: Int? { string.flatMap { milliseconds(rfc3339: $0) } }
}
