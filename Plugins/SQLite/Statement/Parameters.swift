import GRDB
import PlainValue
import WorkerKit

/// The parameters of a statement. They are always bound, never part of the SQL.
enum Parameters {
    /// Converts a flow's parameters: a list for `?`, a record for `:name`, `@name` and `$name`.
    /// Throws `bad_input` or `too_large`.
    static func arguments(_ value: Value?) throws(WorkerError) -> StatementArguments {
        switch value {
        case nil, .null: return StatementArguments()
        case .list(let list):
            var values: [DatabaseValue] = []
            for (index, value) in list.enumerated() {
                values.append(try bound(value, "[\(index + 1)]"))
            }
            return StatementArguments(values)
        case .record(let record):
            var values: [String: DatabaseValue] = [:]
            for (name, value) in record { values[name] = try bound(value, ".\(name)") }
            return StatementArguments(values)
        case .some(let other):
            throw WorkerError(
                "bad_input", "expected a list or a record at parameters, found \(other.kind)")
        }
    }

    private static func bound(_ value: Value, _ place: String) throws(WorkerError) -> DatabaseValue
    {
        switch value {
        case .null: return .null
        case .bool(let bool): return (bool ? 1 : 0).databaseValue
        case .int(let int): return int.databaseValue
        case .double(let double): return double.databaseValue
        case .string(let string):
            guard !string.utf8.contains(0) else {
                throw WorkerError(
                    "bad_input",
                    "the text at parameters\(place) has a NUL, where SQLite would end it",
                    help: "store it as a blob, { [\"$blob\"] = base64 }")
            }
            try checkLength(string.utf8.count, place)
            return string.databaseValue
        case .list, .record:
            if let data = Blob.data(in: value) {
                try checkLength(data.count, place)
                return data.databaseValue
            }
            throw WorkerError(
                "bad_input", "\(value.kind) at parameters\(place) cannot be stored",
                help: "store it as text, or a blob as { [\"$blob\"] = base64 }")
        }
    }

    /// Refuses a length that SQLite refuses, since the library traps then.
    private static func checkLength(_ count: Int, _ place: String) throws(WorkerError) {
        guard count <= Limits.longest else {
            throw WorkerError(
                "too_large",
                "the value at parameters\(place) has more than \(Limits.longest) bytes",
                help: "store it in a file, or in parts")
        }
    }
}
