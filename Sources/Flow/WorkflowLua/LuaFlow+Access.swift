import LuaVM
public import PlainValue

extension LuaFlow {
    package var asksForAccess: Bool { access != nil }

    /// True if the root's function `access` lets a principal do something.
    ///
    /// ```swift
    /// let request: Value = ["do": "send", "action": ["type": "add", "text": "milk"]]
    /// if try flow.allows("ada", request, state: .null, props: [:]) { print("Ada may add milk") }
    /// ```
    ///
    /// The function gets read-only views, has the limits of any call, and does not affect random
    /// numbers.
    ///
    /// - Warning: A flow without a function `access` allows everything to everybody.
    /// - Parameters:
    ///   - principal: The principal, as the host describes it.
    ///   - what: The request, such as `{ "do": "send", "action": { "type": "add" } }`.
    ///   - state: The state of the root; `null` if it has none.
    ///   - props: The props of the root.
    /// - Throws: A ``FlowError`` if the function fails or does not return a boolean.
    public func allows(
        _ principal: Value, _ what: Value, state: Value, props: Value
    ) throws(FlowError) -> Bool {
        guard let access else { return true }
        let random = randomState
        defer { randomState = random }
        let vm = runtime.vm
        do throws(FlowError) {
            return try lua { () throws(LuaError) in
                let given = [
                    (principal, "principal"), (what, "what"), (state, "state"), (props, "props"),
                ]
                let arguments = try given.map { value, label throws(LuaError) in
                    switch value {
                    case .list, .record:
                        return LuaArgument.reference(try vm.makeView(of: value, label: label))
                    default: return .value(value)
                    }
                }
                let answer = try vm.call(access, arguments, returning: .value, root: "access")
                guard let isAllowed = answer.value?.bool else {
                    throw LuaError(
                        raising: FlowError(.badAccess, answer.type.described),
                        location: vm.location(of: access))
                }
                return isAllowed
            }
        } catch {
            throw runtime.modules.completed(error, phase: .access, node: rootPath)
        }
    }
}
