import LuaSyntax

// The functions of a definition, and what they are called with.
extension FileRules {
    mutating func checkParameters() {
        guard let shape = file.shape, shape.isFlow else { return }
        check(shape.function("state"), ["props"], "state")
        check(shape.function("changed"), ["old_props", "new_props", "state"], "changed")
        check(shape.function("render"), ["state", "context"], "render")
        check(shape.function("access"), ["principal", "what", "state", "props"], "access")
        let apply = ["state", "action", "context"]
        check(shape.function("apply"), apply, "apply")
        for function in shape.applyFunctions { check(function, apply, "a function of apply") }
    }

    /// Reports parameters whose names show that the author takes them to be others.
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
