import PlainValue
import Terminal

/// A mistake in a file.
package struct Problem: Hashable {
    /// The kind of problem. The raw value is the code in JSON.
    package enum Code: String {
        case syntax, load, definition, action, worker, input, global, library, state, context
        case require, luacheck
    }

    package let code: Code
    /// The path as the user would write it.
    package let file: String
    /// The line, from 1; nil for the whole file.
    package let line: Int?
    /// The column in bytes, from 1, if known.
    package let column: Int?
    /// One sentence, and the next step if there is one.
    package let message: String

    init(_ code: Code, _ file: String, line: Int?, column: Int? = nil, _ message: String) {
        self.code = code
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    /// `file:line:column: message`, with the known parts of the place.
    package var text: String {
        let place = [file] + [line, column].compactMap { $0.map(String.init) }
        return printable("\(place.joined(separator: ":")): \(message)")
    }

    package var json: String {
        var record: Value.Record = [
            "v": 1, "type": "problem", "code": .string(code.rawValue), "file": .string(file),
            "message": .string(message),
        ]
        if let line { record["line"] = .int(line) }
        if let column { record["column"] = .int(column) }
        return Value.record(record).json
    }
}

extension Problem: Comparable {
    package static func < (a: Problem, b: Problem) -> Bool {
        (a.file, a.line ?? 0, a.column ?? 0, a.message)
            < (b.file, b.line ?? 0, b.column ?? 0, b.message)
    }
}
