import HTTPServing
import HTTPTypes

/// The trace of a request, from the header of W3C Trace Context: `00-TRACE-SPAN-FLAGS`.
struct RequestTrace: Sendable, Hashable {
    /// 32 hexadecimal digits.
    let trace: String
    /// 16 hexadecimal digits: the caller's span.
    let parent: String

    /// Returns `nil` without a valid header.
    init?(_ headers: HTTPFields) {
        guard let text = headers.value(of: "traceparent") else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].count == 2, parts[0] != "ff",
            parts[0] != "00" || parts.count == 4, parts[1].count == 32, parts[2].count == 16,
            parts[0...2].allSatisfy({ $0.utf8.allSatisfy("0123456789abcdef".utf8.contains) }),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
        else { return nil }
        trace = String(parts[1])
        parent = String(parts[2])
    }
}
