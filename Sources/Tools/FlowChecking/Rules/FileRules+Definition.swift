import LuaSyntax
import PlainValue
import WorkflowLua

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
                guard let name = field.name,
                    let first = known.updateValue(field.place, forKey: name)
                else { continue }
                reportAgain(name, field.place, first)
            }
        }
    }

    private mutating func reportAgain(_ name: String, _ place: SourcePlace, _ first: SourcePlace) {
        report(
            .definition, place,
            "'\(name)' is given again, and this alone counts; leave out that of line \(first.line)")
    }

    /// Reports functions that are defined twice under one name.
    mutating func checkFunctionsGivenTwice() {
        let definitions = source.fields.filter { use in
            use.kind.written?.isDefinition == true && isAtTopLevel(use.place)
        }
        for variable in source.variables
        where variable.assignments.isEmpty && variable.owner === source.main {
            var known: [String: SourcePlace] = [:]
            for field in variable.initializer?.table?.fields ?? [] where field.value.isDefinition {
                if let name = field.name { known[name] = field.place }
            }
            var actions: [String: SourcePlace] = [:]
            for use in definitions {
                if use.base.variable === variable {
                    if let first = known.updateValue(use.place, forKey: use.name),
                        !isRead(use.name, of: variable, between: first, use.place)
                    {
                        reportAgain(use.name, use.place, first)
                    }
                } else if use.base.isField("apply", of: variable),
                    let first = actions.updateValue(use.place, forKey: use.name)
                {
                    reportAgain(use.name, use.place, first)
                }
            }
            guard variable.initializer?.function != nil, variable.reads.isEmpty,
                let later = source.variables.first(where: { other in
                    other.initializer?.function != nil && other.name == variable.name
                        && other.owner === variable.owner && other.place > variable.place
                })
            else { continue }
            reportAgain(variable.name, later.place, variable.place)
        }
    }

    /// True if a place is in no function and under no condition.
    private func isAtTopLevel(_ place: SourcePlace) -> Bool {
        !source.functions.contains { $0.range?.contains(place) ?? false }
            && !source.branches.contains { $0.body.contains(place) }
    }

    private func isRead(
        _ name: String, of variable: LuaVariable, between first: SourcePlace, _ last: SourcePlace
    ) -> Bool {
        source.fields.contains { use in
            use.base.variable === variable && use.name == name && !use.kind.isWrite
                && first < use.place && use.place < last
        }
    }

    /// Reports literals that are no values for a field of a definition.
    mutating func checkFieldTypes() {
        guard let shape = file.shape, shape.isFlow else { return }
        for (name, words) in Self.fieldTypes {
            guard let values = shape.fields[name], values.count == 1,
                let constant = values[0].constant, constant != .null,
                !Self.fits(constant, name), let place = place(ofField: name)
            else { continue }
            report(.definition, place, "'\(name)' of a definition is \(words)")
        }
        for result in shape.function("state")?.results ?? [] where result.value.isNoTable {
            report(
                .definition, result.place,
                "state returns a table; write return { value = … }, and read state.value")
        }
    }

    private static let fieldTypes = [
        ("apply", "a table of functions; write apply = { add = function(state, action) … }"),
        ("name", "a text; write name = \"todo\""),
        ("state", "a table, or a function that returns one; write state = { n = 0 }"),
        ("version", "a whole number from 1 on; write version = 2"),
    ]

    private static func fits(_ constant: Value, _ name: String) -> Bool {
        switch name {
        case "name": constant.string != nil
        case "version": constant.int.map { $0 > 0 } ?? false
        default: false
        }
    }

    /// The last place that gives a field of the definition a value.
    private func place(ofField name: String) -> SourcePlace? {
        guard let returned = source.main.returns.first?.first?.value else { return nil }
        if let variable = returned.variable,
            let use = source.fields.last(where: { use in
                use.base.variable === variable && use.name == name && use.kind.isWrite
            })
        {
            return use.place
        }
        return returned.known.table?[name]?.place
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

    /// Reports definitions of one name in one function: a path cannot tell their nodes apart.
    mutating func checkNames() {
        let returned = source.main.returns.compactMap { $0.first?.value.variable }
        var known: [(variable: LuaVariable, name: String?)] = []
        for variable in source.variables where !returned.contains(where: { $0 === variable }) {
            guard let definition = self.definition(in: variable),
                definition.shape.fields["render"] != nil
            else { continue }
            let names = definition.shape.fields["name"] ?? []
            // A name that is computed may be any.
            guard names.count <= 1, names.allSatisfy({ $0.text != nil }) else { continue }
            let name = names.first?.text ?? definition.file
            if let first = known.first(where: { other in
                other.name == name && other.variable.isUsed(with: variable)
                    // One definition may have two variables.
                    && (definition.file == nil
                        || requiredModule(.variable(other.variable, variable.place))
                            != requiredModule(.variable(variable, variable.place)))
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

    /// The definition in a variable, with the name of its file if it is that of a module.
    private func definition(in variable: LuaVariable) -> (shape: FlowShape, file: String?)? {
        let expression = LuaExpression.variable(variable, variable.place)
        guard let module = requiredModule(expression) else {
            return FlowShape(expression, in: source).map { ($0, nil) }
        }
        guard case .file(let file?) = self.module(module), let shape = file.shape else {
            return nil
        }
        return (shape, file.name.withoutLua)
    }

    /// Reports parameters whose names show that the author confused their order.
    private mutating func check(_ function: LuaFunction?, _ known: [String], _ name: String) {
        guard let parameters = function?.parameters, let first = parameters.first else { return }
        let call = "(\(known.joined(separator: ", ")))"
        if first.name == "self" {
            hasRightParameters = false
            report(
                .definition, first.place,
                "\(name) is called with \(call) and no 'self'; declare it with a dot, not a colon")
            return
        }
        for (index, parameter) in parameters.enumerated() {
            guard let right = known.firstIndex(of: parameter.name), right != index else { continue }
            hasRightParameters = false
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
    /// True if this is a function or a table of actions.
    fileprivate var isDefinition: Bool {
        function != nil || table?.fields.contains { $0.value.function != nil } == true
    }

    fileprivate var isAtMostOne: Bool { constant?.int.map { $0 <= 1 } ?? false }
}
