import LuaSyntax

// Rules for data that a flow keeps outside its state.
extension FileRules {
    mutating func checkHiddenState() {
        for variable in source.variables where variable.owner === source.main {
            let hidden = variable.assignments.filter { assignment in
                guard let function = assignment.function.outermost else { return false }
                return !runsOnlyAtLoad(function)
            }
            guard let first = hidden.min(by: { $0.place < $1.place }) else { continue }
            report(
                .state, first.place,
                "a function changes '\(variable.name)', a local of the file; "
                    + "what a flow remembers belongs in its state")
        }
    }

    /// Reports actions that change a table of the file, such as the definition itself.
    mutating func checkHiddenTables(_ functions: DefinitionFunctions) {
        let ranges = functions.apply.compactMap(\.range)
        var reported: Set<String> = []
        for (table, place) in changedTables where ranges.contains(where: { $0.contains(place) }) {
            guard let variable = table.root, variable.owner === source.main,
                reported.insert(variable.name).inserted
            else { continue }
            report(
                .state, place,
                "an action changes '\(variable.name)', a table of the file; what a flow remembers "
                    + "belongs in its state")
        }
    }

    /// The tables that are changed, with the places: by assignments, and by functions of `table`.
    var changedTables: [(table: LuaExpression, place: SourcePlace)] {
        let changing = source.calls.filter { call in
            guard case .field(.global("table", _), let name, _) = call.callee else { return false }
            return ["insert", "remove", "sort"].contains(name) && !call.arguments.isEmpty
        }
        return source.fields.filter(\.kind.isWrite).map { ($0.base, $0.place) }
            + source.elementWrites.map { ($0.base, $0.place) }
            + changing.map { ($0.arguments[0], $0.places[0]) }
    }

    private func runsOnlyAtLoad(_ function: LuaFunction) -> Bool {
        let variable = source.variables.first { $0.onlyValue?.function === function }
        guard let variable, variable.owner === source.main else {
            return source.calls.contains { $0.callee.function === function }
        }
        let calls = source.calls.count { call in
            call.method == nil && call.callee.variable === variable && call.function === source.main
        }
        let reads = variable.reads.count { read in read.function !== function }
        return reads == calls
    }
}
