import Subprocess
import WorkerKit

/// The environment variables that a flow may set for a program.
///
/// Some variables make a program load or start another file (`LD_PRELOAD`, `PATH`, `BASH_ENV`,
/// `GIT_SSH_COMMAND` and many more that only the program knows), so permission to run it would be
/// permission to run anything. So every variable that is not known to be harmless needs a grant.
enum Variables {
    /// Languages, time zones and terminals.
    private static let harmless: Set = [
        "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "FORCE_COLOR", "LANG", "LANGUAGE", "LC_ALL",
        "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC", "LC_TIME", "LINES",
        "NO_COLOR", "TERM", "TZ",
    ]

    /// The variables, if all may be set. Throws `bad_input` or `not_granted`.
    static func checked(
        _ variables: [String: String], context: WorkerContext
    ) throws(WorkerError) -> [Environment.Key: String?] {
        var checked: [Environment.Key: String?] = [:]
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
            guard isName(name) else {
                throw WorkerError(
                    "bad_input", "\(name.debugDescription) cannot be the name of a variable",
                    help: "use letters, digits and '_', and begin with no digit")
            }
            guard !value.utf8.contains(0) else {
                throw WorkerError("bad_input", "the variable \(name) has a zero byte in it")
            }
            if !harmless.contains(name) || !isHarmless(value) {
                try context.require(Access("process.env", name))
            }
            checked[Environment.Key(stringLiteral: name)] = value
        }
        return checked
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !first.isDigit else { return false }
        return text.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
    }

    /// Languages, zones and terminals are looked up in folders, and must not lead elsewhere.
    private static func isHarmless(_ value: String) -> Bool {
        !value.hasPrefix("/") && !value.hasPrefix(":") && !value.contains("..")
            && value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
