package import LuaVM
package import WorkflowLua

extension FrameExpressions {
    /// Whether a condition holds at a moment; it sees nothing that is secret.
    ///
    /// - Parameter callsFunctions: Whether functions of the flow may be called on copies.
    ///
    /// - Throws: A `FlowError` that names the condition if it cannot be evaluated.
    package func holds(
        _ condition: FrameExpression, at moment: borrowing LuaMoment,
        callsFunctions: Bool = false, hiding secrets: SecretTexts
    ) throws(FlowError) -> Bool {
        do throws(FlowError) {
            let value = try value(
                of: condition, at: moment, callsFunctions: callsFunctions, hiding: secrets)
            return value.holds
        } catch {
            guard error.code != .interrupted else { throw error }
            throw FlowError(
                error.code,
                "the condition '\(condition.text)' cannot be evaluated: \(error.message)")
        }
    }
}
