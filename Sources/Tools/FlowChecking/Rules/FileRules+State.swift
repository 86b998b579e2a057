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
        let inserted = source.calls.compactMap { call -> (LuaExpression, SourcePlace)? in
            guard case .field(.global("table", _), let name, _) = call.callee,
                ["insert", "remove", "sort"].contains(name), let list = call.arguments.first
            else { return nil }
            return (list, call.places[0])
        }
        let written =
            source.fields.filter(\.kind.isWrite).map { ($0.base, $0.place) }
            + source.elementWrites.map { ($0.base, $0.place) } + inserted
        var reported: Set<String> = []
        for (base, place) in written where ranges.contains(where: { $0.contains(place) }) {
            guard let variable = base.root, variable.owner === source.main,
                reported.insert(variable.name).inserted
            else { continue }
            report(
                .state, place,
                "an action changes '\(variable.name)', a table of the file; what a flow remembers "
                    + "belongs in its state")
        }
    }

    /// True if a function is called only while the file is loaded.
    private func runsOnlyAtLoad(_ function: LuaFunction) -> Bool {
        let variable = source.variables.first { variable in
            if case .function(let known)? = variable.onlyValue { known === function } else { false }
        }
        guard let variable, variable.owner === source.main else {
            return source.calls.contains { call in
                if case .function(let called) = call.callee { called === function } else { false }
            }
        }
        let calls = source.calls.count { call in
            call.method == nil && call.callee.variable === variable && call.function === source.main
        }
        let reads = variable.reads.count { read in read.function !== function }
        return reads == calls
    }
}
