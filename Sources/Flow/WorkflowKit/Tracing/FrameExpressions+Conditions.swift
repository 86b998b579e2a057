package import LuaVM
package import WorkflowLua

extension FrameExpressions {
    /// Evaluates a condition at a moment, with secrets masked in the values that it sees.
    ///
    /// - Parameter callsFunctions: Allows calls of the flow's functions, on copies.
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
            throw FlowError(.badCondition.with(error.code), condition.text, error.message)
        }
    }
}
