import PlainValue
import Testing

/// A flow that goes wrong, and all that the program says of it.
struct FailingFlow: Sendable, CustomTestStringConvertible {
    /// The mistake in the flow.
    var name: String
    /// The files beside one another; `flow.lua` is the one that is played.
    var files: [String: String]
    /// The actions that are sent, as JSON; sinks too.
    var actions: [String] = []
    /// The options beside `flow.lua`.
    var options: [String] = []
    /// The renderings, as the plain pipe prints them.
    var stdout = ""
    var stderr: String
    /// The `error` events of a run with `--json`, one a line, without the fields that all events
    /// have.
    var errors: String

    var testDescription: String { name }

    /// The exit status without `--json`.
    var status: Int32 { 65 }

    /// The exit status with `--json`, where an action that failed does not change it.
    var jsonStatus: Int32 { actions.isEmpty ? 65 : 0 }

    /// The options, with enough time for flows that are not about it.
    var allOptions: [String] {
        options.contains("--max-time") ? options : options + ["--max-time", "1000"]
    }

    /// The actions as requests of the protocol.
    var requests: String {
        actions.enumerated().map { index, action in
            let field = action.contains("$sink") ? "sink" : "action"
            return #"{"id":\#(index + 1),"do":"send","\#(field)":\#(action)}"# + "\n"
        }.joined()
    }

    static let all: [FailingFlow] = files + definitions + calls + values + actions + limits
}
