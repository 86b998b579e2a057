import LuaSyntax
import PlainValue
import WorkflowLua

// Rules for names that do not exist.
extension FileRules {
    mutating func checkGlobals() {
        guard !source.usesEnvironment else { return }
        var known = HostAPI.globalNames
        if file.kind == .test || file.isForTests { known.formUnion(HostAPI.testGlobalNames) }
        // A file that asks whether a version of Lua has a name may use it.
        let asked = Set(source.globals.filter { $0.kind.isTest }.map(\.name))
            .intersection(HostAPI.namesElsewhere)
        for use in source.globals {
            switch use.kind {
            case .read, .tested:
                guard !known.contains(use.name), !asked.contains(use.name) else { continue }
                report(.global, use.place, missing(use.name, among: known))
            case .written:
                report(
                    .global, use.place,
                    known.contains(use.name)
                        ? "the global '\(use.name)' is read-only"
                        : "assignment to the undefined global '\(use.name)'; declare it local")
            }
        }
        checkLibraries()
    }

    private func missing(_ name: String, among known: Set<String>) -> String {
        if let help = HostAPI.absent[name] {
            if HostAPI.forLibraries.contains(name) {
                return "'\(name)' is there for libraries: \(help)"
            }
            return "there is no global '\(name)' in flows: \(help)"
        }
        if HostAPI.testGlobalNames.contains(name) {
            return "there is no global '\(name)' in flows: tests are in files whose names end in "
                + "_test.lua"
        }
        let names = known.union(source.variables.map(\.name)).subtracting([name])
        let near = didYouMean(name, among: names.sorted())
        return "there is no global '\(name)'"
            + (near.isEmpty ? "; declare it local, above where it is used" : near)
    }

    private mutating func checkLibraries() {
        for use in source.fields {
            guard case .global(let name, _) = use.base, !use.kind.isTest,
                let library = HostAPI.libraries.first(where: { $0.name == name }),
                library[use.name] == nil
            else { continue }
            if use.kind.isWrite {
                report(.library, use.place, "\(name) is read-only")
            } else {
                report(
                    .library, use.place,
                    "\(name) has no '\(use.name)'\(didYouMean(use.name, among: library.names))")
            }
        }
    }
}
