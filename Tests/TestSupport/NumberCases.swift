import Foundation
package import PlainValue

/// Documents with some numbers replaced, as a damaged file or a hostile program may have them.
package enum NumberCases {
    /// Replacements of a number: the least, greatest, fractions, other types, and nothing at all.
    package static let values: [Value?] = [
        .int(.min), -1, .double(-0.0), 0, 0.5, .double(.leastNonzeroMagnitude), .int(1 << 31),
        .int(1 << 53), .int(1 << 53 + 1), .int(.max), 1e300, nil, "1", .null,
    ]

    package static let texts = [
        "-9223372036854775808", "-1", "-0.0", "0", "0.5", "1e-320", "2147483648",
        "9007199254740992", "9007199254740993", "9223372036854775807", "18446744073709551616",
        "1e300", "", "x",
    ]

    package static let times = [
        "0000-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z",
        "9999-99-99T99:99:99.999Z", "10000-01-01T00:00:00.000Z", "",
    ]

    /// The document with each number replaced in turn, with what was done.
    package static func changed(_ document: Value) -> [(what: String, document: Value)] {
        places(in: document).flatMap { path in
            replacements(for: document[path]).map { new in
                var changed = document
                changed[path] = new
                return ("\(path) = \(new?.json ?? "missing")", changed)
            }
        }
    }

    /// The document with some of its numbers replaced at random.
    package static func shuffled(
        _ document: Value, by numbers: inout SeededNumbers
    ) -> (what: String, document: Value) {
        var (changed, what) = (document, "")
        for path in places(in: document) where Int.random(in: 0..<3, using: &numbers) == 0 {
            guard let new = replacements(for: document[path]).randomElement(using: &numbers) else {
                continue
            }
            changed[path] = new
            what += "\(path) = \(new?.json ?? "missing") "
        }
        return (what, changed)
    }

    private static func replacements(for value: Value?) -> [Value?] {
        guard let text = value?.string else { return values }
        return (text.isDigits ? texts : times).map { .string($0) }
    }

    /// The paths of all numbers, and of texts that are a number or a time.
    private static func places(in value: Value, at path: ValuePath = ValuePath()) -> [ValuePath] {
        switch value {
        case .int, .double: [path]
        case .string(let text): text.isDigits || text.isTime ? [path] : []
        case .list(let list):
            list.enumerated().flatMap { places(in: $1, at: path.appending(.index($0 + 1))) }
        case .record(let record):
            record.flatMap { places(in: $0.value, at: path.appending(.key($0.key))) }
        case .null, .bool: []
        }
    }
}

/// A file that names the case at hand, so that one that ends the process is known.
package struct CaseFile {
    private let file: String

    package init(_ name: String) {
        file = FileManager.default.temporaryDirectory.path + "/workflow-case-\(getpid())-\(name)"
        print("\(name): if it ends the process, \(file) names the case")
    }

    /// Names a case, which is about to be tried.
    package func begin(_ name: String) { try? Data(name.utf8).write(to: URL(filePath: file)) }

    /// Called when all cases were tried.
    package func end() { try? FileManager.default.removeItem(atPath: file) }
}

extension String {
    fileprivate var isDigits: Bool { !isEmpty && utf8.allSatisfy { 0x30...0x39 ~= $0 } }

    fileprivate var isTime: Bool { utf8.count == 24 && hasSuffix("Z") && contains("T") }
}
