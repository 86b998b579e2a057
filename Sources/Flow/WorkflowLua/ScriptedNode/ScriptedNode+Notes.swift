import LuaVM
import PlainValue
import Workflow

// Notes about likely mistakes, each reported once.
extension ScriptedNode {
    /// Notes that a render returned nothing, unless it renders only workers or children.
    func noteMissingRendering() {
        guard current.natives.isEmpty, current.workers.isEmpty,
            current.context?.lastChildNumber == nil
        else { return }
        runtime.note(
            "render of \(definition.name) returns nothing; end it with return { … }, "
                + "or with workflow.null if there is nothing to show", at: definition.location)
    }

    /// Notes that a function assigns to its parameter and so changes nothing.
    func noteLostAssignment(in function: LuaSlot) {
        guard runtime.isIdleForTheFirstTime(function),
            let place = vm.location(of: function).map(FlowError.Location.init),
            let lost = runtime.modules.assignmentToFirstParameter(ofFunctionAt: place)
        else { return }
        runtime.note(
            "a new value of '\(lost.name)' changes nothing; set its fields, "
                + "as in \(lost.name).n = …",
            at: FlowError.Location(file: place.file, line: lost.line))
    }

    /// Notes that a function uses a context of an earlier call, because it receives none itself.
    ///
    /// - Parameter place: The place of the context among the function's parameters, from 1.
    func noteKeptContext(_ member: String, in function: LuaSlot, at place: Int) {
        guard let location = vm.location(of: function).map(FlowError.Location.init),
            let parameters = runtime.modules.parameters(ofFunctionAt: location),
            parameters.count < place, parameters.last != "..."
        else { return }
        let all = ["state"] + (place > 2 ? ["action", "context"] : ["context"])
        runtime.note(
            "context:\(member) is used with a context that was kept from an earlier call; "
                + "receive it as a parameter: function(\(all.joined(separator: ", ")))",
            at: location)
    }

    /// Notes that the outputs of the node are not handled.
    func noteLostOutput(_ output: Value, of function: LuaSlot) {
        runtime.note(
            "nobody takes what \(definition.name) gives, \(output.summary(maxLength: 60)); "
                + "render it with { on_output = … }",
            at: vm.location(of: function).map(FlowError.Location.init))
    }
}
