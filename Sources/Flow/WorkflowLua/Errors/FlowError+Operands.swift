import PlainValue

// Lua's message about a failed comparison has no names, so the operands are found in the source.
extension FlowError {
    /// The next step if one of two compared values is nil.
    ///
    /// - Parameter fields: Returns the fields of a name such as `state.cart`; `nil` if unknown.
    func comparisonAdvice(in source: String, fields: (ValuePath) -> Set<String>?) -> String? {
        guard operation == .comparison, message.contains("nil") else { return nil }
        let missing = source.comparedPaths.filter { path in
            guard case .key(let name)? = path.components.last, path.components.count > 1 else {
                return true
            }
            let owner = ValuePath(Array(path.components.dropLast()))
            return fields(owner).map { !$0.contains(name) } ?? true
        }
        guard missing.count == 1, let path = missing.first,
            case .key(let name)? = path.components.last
        else { return nil }
        let owner = ValuePath(Array(path.components.dropLast()))
        let near = didYouMean(name, among: (fields(owner) ?? []).sorted())
        return near.isEmpty
            ? "\(path) is nil here; give it a value, or write (\(path) or 0)"
            : "\(path) is nil here\(near)"
    }

    /// The next step if a table is called.
    func tableCallAdvice(in line: String) -> String? {
        guard operation == .call, message.contains("a table value") else { return nil }
        if message.contains("'for iterator'") {
            return "write for _, value in ipairs(list) do, or for name, value in pairs(record) do"
        }
        guard let culprit else { return nil }
        if locals.contains(where: { $0.name == culprit.name && $0.value.hasPrefix("{ $sink ") }) {
            return "a sink is not called: put it into the rendering, from which it is sent"
        }
        guard let range = line.firstRange(of: "rendering.") else { return nil }
        let path = line[range.lowerBound...].prefix { $0.isOfPath }
        return location?.file.hasSuffix(".lua") == true
            ? "a sink is not called, it is sent: flow:send(flow.\(path))"
            : "a sink is not called, it is sent by its path: \(path.dropFirst("rendering.".count))"
    }
}

extension Character {
    /// True if this can be in a path such as `rows[1].name`.
    fileprivate var isOfPath: Bool { isLetter || isNumber || "_.[]".contains(self) }
}

extension String {
    /// The operands of the operators `<`, `>`, `<=` and `>=` that are paths.
    fileprivate var comparedPaths: [ValuePath] {
        var paths: [ValuePath] = []
        var rest = self[...]
        while let sign = rest.firstIndex(where: { $0 == "<" || $0 == ">" }) {
            let left = rest[..<sign].reversed().drop { $0 == " " }.prefix { $0.isOfPath }.reversed()
            rest = rest[sign...].drop { "<>=".contains($0) }
            let right = rest.drop { $0 == " " }.prefix { $0.isOfPath }
            for text in [String(left), String(right)] {
                guard let path = try? ValuePath(parsing: text), case .key? = path.components.first,
                    !paths.contains(path)
                else { continue }
                paths.append(path)
            }
        }
        return paths
    }

    /// The names before ` = ` in the text of a record.
    var namesOfFields: Set<String> {
        var names: Set<String> = []
        for range in ranges(of: " = ") {
            let name = self[..<range.lowerBound].reversed().prefix {
                $0.isLetter || $0.isNumber || $0 == "_"
            }
            names.insert(String(name.reversed()))
        }
        return names
    }
}
