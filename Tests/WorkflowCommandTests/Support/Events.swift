import PlainValue
import Testing

/// The events of a run with `--json`. Checks the fields that all events have.
struct Events {
    var all: [Value]

    init(_ text: String) throws {
        all = try text.split(separator: "\n").map { try Value(json: String($0)) }
        for (index, event) in all.enumerated() {
            #expect(event.record != nil, "line \(index + 1) is an object")
            #expect(event["v"] == 1)
            #expect(event["seq"] == .int(index + 1))
            #expect(event["at"]?.string?.wholeMatch(of: Self.moment) != nil)
            #expect(event["type"]?.string != nil)
        }
    }

    private static var moment: Regex<Substring> { /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/ }

    var types: [String] { all.compactMap { $0["type"]?.string } }

    func of(_ type: String) -> [Value] { all.filter { $0["type"] == .string(type) } }

    var renderings: [Value] { of("rendering").compactMap { $0["rendering"] } }

    /// The events of a type as JSON lines, without the fields that all events have.
    func text(_ type: String) -> String {
        of(type).map { event in
            var record = event.record ?? [:]
            for name in ["v", "seq", "at", "type", "cause"] { record[name] = nil }
            return Value.record(record).json
        }.joined(separator: "\n")
    }
}
