import Foundation
import TestSupport

/// The causes of errors in the sources, and the errors that are made of them.
struct ReasonSources {
    private struct Reason {
        let isShared: Bool
        /// The numbers of the places in its sentence and its next step.
        let places: Set<Int>
        /// The other constants that it is made from.
        let parts: [String]
    }

    /// An error that is made of a cause, or of one of several.
    struct Use {
        let location: String
        let valueCount: Int
        let placeCount: Int
    }

    private var reasons: [String: [String: Reason]] = [:]
    private(set) var uses: [Use] = []

    var reasonCount: Int { reasons.values.reduce(0) { $0 + $1.count } }

    init() throws {
        var texts: [(path: String, module: String, text: String)] = []
        let all = FileManager.default.enumerator(atPath: Repository.path("Sources"))
        while let path = all?.nextObject() as? String {
            guard path.hasSuffix(".swift") else { continue }
            let module = path.split(separator: "/")[1]
            texts.append((path, String(module), try Repository.text("Sources/" + path)))
        }
        for (path, module, text) in texts where path.hasSuffix("/FlowError+Reasons.swift") {
            try readReasons(text, of: module)
        }
        for (path, module, text) in texts { readUses(text, in: path, of: module) }
    }

    private mutating func readReasons(_ text: String, of module: String) throws {
        let body = text.split(separator: "\n}", maxSplits: 1)[0].replacing(#/ *\/\/.*/#, with: "")
        for declaration in body.split(separator: "static let ").dropFirst() {
            let name = String(declaration.prefix { $0.isLetter || $0.isNumber })
            let start = body[..<declaration.startIndex].dropLast("static let ".count)
            let strings = #/"""(?s:.*?)"""|"(?:[^"\\]|\\.)*"/#
            let code = declaration.dropFirst(name.count).replacing(strings, with: "")
            reasons[module, default: [:]][name] = Reason(
                isShared: start.hasSuffix("package "),
                places: Set(declaration.matches(of: #/%(\d)/#).compactMap { Int($0.1) }),
                parts: code.matches(of: #/\b[a-z]\w*/#).map { String($0.0) })
        }
    }

    private func find(_ name: String, in module: String) -> (module: String, Reason)? {
        if let own = reasons[module]?[name] { return (module, own) }
        return reasons.lazy.compactMap { module, reasons in
            reasons[name].flatMap { $0.isShared ? (module, $0) : nil }
        }.first
    }

    /// The places of a cause, with those of the constants that it is made from.
    private func places(of name: String, in module: String) -> Set<Int> {
        guard let (module, reason) = find(name, in: module) else { return [] }
        return reason.parts.filter { $0 != name }.reduce(reason.places) { places, part in
            places.union(self.places(of: part, in: module))
        }
    }

    private mutating func readUses(_ text: String, in path: String, of module: String) {
        for match in text.matches(of: #/\bFlow(Error|TestFailure)\(\s*/#) {
            var source = SwiftSource(text[match.range.upperBound...])
            let arguments = source.arguments()
                .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            guard let first = arguments.first else { continue }
            let names = first.replacing(#/\.with\(.*\)/#, with: "")
                .matches(of: #/(?:^|[?:]\s*)\.(\w+)/#).map { String($0.1) }
                .filter { find($0, in: module) != nil }
            guard !names.isEmpty else { continue }
            let line = text[..<match.range.lowerBound].count { $0 == "\n" } + 1
            uses.append(
                Use(
                    location: "\(path):\(line)",
                    valueCount: arguments.dropFirst().count { !$0.hasPrefix("mismatches:") },
                    placeCount: names.map { name in
                        (places(of: name, in: module).max() ?? -1) + 1
                    }.max() ?? 0))
        }
    }
}

private struct SwiftSource {
    private var rest: Substring

    init(_ text: Substring) { rest = text }

    /// The arguments up to the closing bracket.
    mutating func arguments() -> [String] {
        var arguments = [""]
        var depth = 0
        while let character = rest.first {
            let start = rest.startIndex
            switch character {
            case "(", "[", "{": depth += 1
            case ")", "]", "}":
                if depth == 0 { return arguments }
                depth -= 1
            default: break
            }
            if character == "\"" || character == "#" { skipString() } else { rest.removeFirst() }
            if character == ",", depth == 0 {
                arguments.append("")
            } else {
                arguments[arguments.count - 1] += rest.base[start..<rest.startIndex]
            }
        }
        return []
    }

    private mutating func skipString() {
        let signs = rest.prefix { $0 == "#" }
        rest = rest.dropFirst(signs.count)
        let quotes = rest.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
        guard rest.hasPrefix(quotes) else { return }
        rest = rest.dropFirst(quotes.count)
        while !rest.isEmpty, !rest.hasPrefix(quotes + signs) {
            if signs.isEmpty, rest.hasPrefix("\\(") {
                rest = rest.dropFirst(2)
                _ = arguments()
            } else if signs.isEmpty, rest.first == "\\" {
                rest = rest.dropFirst()
            }
            rest = rest.dropFirst()
        }
        rest = rest.dropFirst(quotes.count + signs.count)
    }
}
