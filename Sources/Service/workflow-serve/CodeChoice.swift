import ArgumentParser
import FlowService
import WorkflowCommand

/// The policy for stored sessions of a flow: `todo=pinned`.
struct CodeChoice: ExpressibleByArgument {
    let flow: String
    let policy: CodePolicy

    static let help = ArgumentHelp(
        "What sessions of before go on with when the files of a flow have changed: pinned, "
            + "migrate or replay; "
            + "may be repeated.", valueName: "flow=policy")

    init?(argument: String) {
        guard let sign = argument.lastIndex(of: "="), sign > argument.startIndex,
            let policy = CodePolicy(rawValue: String(argument[argument.index(after: sign)...]))
        else { return nil }
        flow = String(argument[..<sign])
        self.policy = policy
    }

    static func policies(_ choices: [CodeChoice]) throws -> [String: CodePolicy] {
        try choices.reduce(into: [:]) { policies, choice in
            try check(
                policies.updateValue(choice.policy, forKey: choice.flow) == nil,
                "--code has '\(choice.flow)' twice.")
        }
    }
}
