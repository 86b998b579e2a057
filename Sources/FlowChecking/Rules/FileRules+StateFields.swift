import LuaSyntax
import PlainValue

// Rules for the fields of the state.
extension FileRules {
    /// Reports fields that are read and never written, or written and never read.
    ///
    /// A name that is a misspelling of another one is always reported. Any other one is reported
    /// only where all uses of the state are in sight.
    mutating func checkStateFields(_ functions: DefinitionFunctions) {
        guard let literals = functions.isStateless ? [] : functions.stateLiterals else { return }
        let uses = TableUses(
            of: functions.states, or: functions.earlierStates,
            besides: Set(functions.firstStates.map(\.place)), in: source)
        let initial = Set(literals.flatMap(\.names))
        var known = initial.union(uses.written)
        if !uses.isKept {
            known.formUnion(source.tables.flatMap(\.names))
            for use in source.fields where use.kind.isWrite { known.insert(use.name) }
        }
        let read = Set(source.fields.filter { !$0.kind.isWrite }.map(\.name)).union(namesInTests)
        var reported: Set<String> = []
        for field in uses.fields where field.isCertain && !reported.contains(field.name) {
            let (name, place) = (field.name, field.use.place)
            if !field.isWrite, !known.contains(name) {
                if let near = misspelling(name, of: known) {
                    report(
                        .state, place, "the state has no field '\(name)'. Did you mean '\(near)'?")
                } else if uses.isKept {
                    report(
                        .state, place,
                        "nothing sets '\(name)' in the state; give it a value in state, or in an "
                            + "action")
                } else {
                    continue
                }
                reported.insert(name)
            } else if field.isWrite, !read.contains(name) {
                if !initial.contains(name), let near = misspelling(name, of: initial.union(uses.read)) {
                    report(
                        .state, place, "the state has no field '\(name)'. Did you mean '\(near)'?")
                } else if uses.isKept {
                    report(
                        .state, place,
                        "nothing reads '\(name)' of the state; show it in render, or leave it out")
                } else {
                    continue
                }
                reported.insert(name)
            }
        }
    }
}
