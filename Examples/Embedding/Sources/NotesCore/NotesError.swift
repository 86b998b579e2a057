import WorkflowLua
import WorkflowStore

/// A user's mistake, in one sentence.
public struct NotesError: Error {
    /// The sentence.
    public let message: String

    init(_ message: String) { self.message = message }
}

extension NotesTool {
    /// The message for the user about an error.
    public static func message(of error: any Error) -> String {
        switch error {
        case let error as NotesError: error.message
        case let error as FlowError: error.message
        case let error as StoreError: error.message
        default: "\(error)"
        }
    }
}
