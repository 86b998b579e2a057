import LuaSyntax
import PlainValue
import WorkflowLua

// Rules for missing and unused modules.
extension FileRules {
    mutating func checkRequires() {
        for call in source.calls {
            guard let name = call.requiredModule, name != "workflow" else { continue }
            guard FlowModules.isName(name) else {
                report(
                    .require, call.places[0],
                    "'\(name)' is not the name of a module; write \"item\" for item.lua, "
                        + "\"parts.row\" for parts/row.lua")
                continue
            }
            guard case .missing(let known) = module(name) else { continue }
            let error = FlowError(
                .noModule, name, FlowModules.file(of: name), didYouMean(name, among: known))
            report(.require, call.places[0], error.message)
        }
        for variable in source.variables {
            guard let name = variable.initializer?.call?.requiredModule,
                variable.reads.isEmpty, variable.assignments.isEmpty, !variable.name.hasPrefix("_")
            else { continue }
            report(
                .require, variable.place,
                "'\(variable.name)' is not used; leave out the require of '\(name)'")
        }
    }
}
