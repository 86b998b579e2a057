import PlainValue
import WorkflowKit

/// Makes slices: parts of values that say what they leave out.
///
/// Scalars and short texts are themselves, anything else an object whose field `$` is its type.
struct ValueSlices {
    var secrets = SecretTexts([])
    var depth = 3
    /// The most entries of a container.
    var limit = 100
    /// The most entries in all, shared by the entries of a container.
    private static let mostEntries = 10_000
    /// Records of up to this many entries are shown whole even when the share is used up.
    private static let wholeRecord = 32
    private static let longestText = 1_000

    /// A slice from an entry, or for a text from a character.
    func slice(_ value: Value, from first: Int = 0) -> Value {
        if case .string = value, case .string(let text) = secrets.hiding(value) {
            return slice(text, from: first, max(limit, Self.longestText))
        }
        return slice(value, from: first, depth: depth, share: Self.mostEntries)
    }

    /// A slice of the value at a path. Values below a secret name are hidden.
    func slice(_ value: Value, at path: ValuePath, from first: Int = 0) -> Value {
        secrets.hides(path) ? Self.secret : slice(value, from: first)
    }

    private static let secret: Value = ["$": "secret"]

    private func slice(_ value: Value, from first: Int, depth: Int, share: Int) -> Value {
        switch value {
        case .null, .bool: return value
        case .int, .double: return slice(number: value)
        case .string(let text):
            return slice(secrets.hiding(value).string ?? text, from: 0, Self.longestText)
        case .list(let list):
            return slice("list", list.count, from: first, depth: depth, share: share) {
                range, each in
                list[range].map { slice($0, from: 0, depth: depth - 1, share: each) }
            }
        case .record(let record):
            if let sink = record["$sink"], let action = sink["action"] {
                let fields = ValueSlices(secrets: secrets, depth: 2, limit: 32)
                let parts = (action.record ?? [:]).prefix(Self.wholeRecord).map { name, value in
                    (
                        secrets.naming(.string(name)).string ?? name,
                        secrets.names.contains(name) ? Self.secret : fields.slice(value)
                    )
                }
                return [
                    "$": "sink", "node": sink["node"] ?? "",
                    "action": .record(Value.Record(parts, uniquingKeysWith: { first, _ in first })),
                ]
            }
            let isSmall = record.count <= Self.wholeRecord && share > 0
            return slice(
                "record", record.count, from: first, depth: depth,
                share: isSmall ? max(share, record.count) : share
            ) { range, each in
                record[range].map { name, value in
                    [
                        secrets.naming(.string(name)),
                        secrets.names.contains(name)
                            ? Self.secret
                            : slice(value, from: 0, depth: depth - 1, share: each),
                    ]
                }
            }
        }
    }

    private func slice(number value: Value) -> Value {
        switch secrets.hiding(value) {
        // JavaScript cannot represent all larger integers.
        case .int(let int) where int.magnitude >= 1 << 53: ["$": "number", "start": "\(int)"]
        case .double(let double) where !double.isFinite:
            ["$": "number", "start": .string("\(double)")]
        case .string: Self.secret
        default: value
        }
    }

    private func slice(_ text: String, from first: Int, _ longest: Int) -> Value {
        guard first > 0 || text.utf8.count > longest else { return .string(text) }
        return [
            "$": "text", "of": .int(text.utf8.count), "from": .int(first),
            "start": .string(String(text.dropFirst(first).prefix(longest))),
        ]
    }

    /// - Parameter entries: Makes the entries of a range, each with a share of the rest.
    private func slice(
        _ kind: Value, _ count: Int, from first: Int, depth: Int, share: Int,
        _ entries: (Range<Int>, Int) -> [Value]
    ) -> Value {
        let first = min(max(first, 0), count)
        var record: Value.Record = ["$": kind, "of": .int(count), "from": .int(first)]
        if count == 0 {
            record["entries"] = []
        } else if depth > 0, share > 0 {
            let shown = min(count - first, limit, share)
            record["entries"] = .list(of: entries(first..<first + shown, share / max(shown, 1)))
        }
        return .record(record)
    }
}
