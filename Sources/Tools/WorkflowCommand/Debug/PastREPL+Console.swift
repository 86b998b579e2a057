import FlowDebugging
import FlowREPL
import Terminal
package import WorkflowKit

extension PastREPL: DebugConsole {
    package func candidates(
        for typed: String, after inputs: [FlowInput], at step: Int
    ) async -> (typed: String, candidates: [String]) {
        let completion = await complete(typed, after: inputs, at: step)
        return (completion.typed, completion.candidates)
    }
}
