import Crypto

/// The trace of a session, in which each step is a span. The ids are computed from the session's id
/// and the step, so each process adds to one trace.
struct SessionTrace: Sendable, Hashable {
    /// The step's place in the format of W3C Trace Context: `00-TRACE-SPAN-01`.
    let parent: String

    init(of session: String, at step: Int) {
        let trace = Self.digits(of: session, count: 16)
        let span = Self.digits(of: "\(session)/\(step)", count: 8)
        parent = "00-\(trace)-\(span)-01"
    }

    /// The first bytes of the text's SHA-256, as hexadecimal digits.
    private static func digits(of text: String, count: Int) -> String {
        SHA256.hash(data: Array(text.utf8)).prefix(count).hexDigits
    }
}
