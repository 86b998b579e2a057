import LuaSyntax
import PlainValue

// Rules for the functions of a definition and their parameters.
extension FileRules {
    mutating func checkParameters() {
        guard let shape = file.shape, shape.isFlow else { return }
        check(shape.function("state"), ["props", "context"], "state")
        check(shape.function("changed"), ["old_props", "new_props", "state"], "changed")
        check(shape.function("render"), ["state", "context"], "render")
        check(shape.function("access"), ["principal", "what", "state", "props"], "access")
        let apply = ["state", "action", "context"]
        check(shape.function("apply"), apply, "apply")
        for function in shape.applyFunctions { check(function, apply, "a function of apply") }
    }

    /// Reports names that occur twice in a table constructor.
    mutating func checkTables() {
        for table in source.tables {
            var known: [String: SourcePlace] = [:]
            for field in table.fields {
                guard case .name(let name) = field.key,
                    let first = known.updateValue(field.place, forKey: name)
                else { continue }
                report(
                    .definition, first,
                    "'\(name)' is given again in line \(field.place.line), which alone counts")
            }
        }
    }

    /// Reports a `migrate` that is never called.
    mutating func checkVersion() {
        guard let shape = file.shape, shape.isFlow, !shape.isOneOfSeveral,
            shape.fields["migrate"] != nil,
            (shape.fields["version"] ?? []).allSatisfy({ $0.isAtMostOne })
        else { return }
        let place =
            source.tables.lazy.compactMap { $0["migrate"]?.place }.first
            ?? source.fields.first { $0.name == "migrate" }?.place
        guard let place else { return }
        report(
            .definition, place,
            "migrate takes states of older versions, and this is the first; add version = 2")
    }

    /// Reports definitions of one name that one function uses: a path cannot tell their nodes
    /// apart.
    mutating func checkNames() {
        let returned = source.main.returns.compactMap { $0.first?.value.variable }
        var known: [(variable: LuaVariable, name: String?)] = []
        for variable in source.variables where !returned.contains(where: { $0 === variable }) {
            guard
                let shape = FlowShape(.variable(variable, variable.place), in: source),
                shape.fields["render"] != nil
            else { continue }
            let names = shape.fields["name"] ?? []
            // A name that is computed may be any.
            guard names.count <= 1, names.allSatisfy({ $0.text != nil }) else { continue }
            let name = names.first?.text
            if let first = known.first(where: { other in
                other.name == name && other.variable.isUsed(with: variable)
            }) {
                report(
                    .definition, variable.place,
                    "'\(variable.name)' has "
                        + (name.map { "the name '\($0)' of" } ?? "no name, like")
                        + " '\(first.variable.name)' in line \(first.variable.place.line), so that"
                        + " paths and errors cannot tell their nodes apart; give it"
                        + " \(name == nil ? "one" : "another"), such as name ="
                        + " \"\(variable.name.lowercased())\"")
            }
            known.append((variable, name))
        }
    }

    /// Reports parameters whose names show that the author confused their order.
    private mutating func check(_ function: LuaFunction?, _ known: [String], _ name: String) {
        guard let parameters = function?.parameters, let first = parameters.first else { return }
        let call = "(\(known.joined(separator: ", ")))"
        if first.name == "self" {
            report(
                .definition, first.place,
                "\(name) is called with \(call) and no 'self'; declare it with a dot, not a colon")
            return
        }
        for (index, parameter) in parameters.enumerated() {
            guard let right = known.firstIndex(of: parameter.name), right != index else { continue }
            report(
                .definition, parameter.place,
                "\(name) is called with \(call); '\(parameter.name)' stands in the place of "
                    + (known.indices.contains(index) ? "'\(known[index])'" : "nothing"))
            return
        }
    }
}

extension LuaVariable {
    /// True if a function uses both.
    fileprivate func isUsed(with other: LuaVariable) -> Bool {
        let functions = reads.map(\.function).filter { $0.outer != nil }
        return other.reads.contains { read in functions.contains { $0 === read.function } }
    }
}

extension LuaExpression {
    fileprivate var isAtMostOne: Bool {
        if case .constant(let value) = self { value.int.map { $0 <= 1 } ?? false } else { false }
    }
}
