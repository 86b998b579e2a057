import WorkflowLua
import WorkflowStore

/// What a user got wrong, in one sentence.
public struct NotesError: Error {
    /// The sentence.
    public let message: String

    init(_ message: String) { self.message = message }
}

extension NotesTool {
    /// What to tell the user of an error.
    public static func message(of error: any Error) -> String {
        switch error {
        case let error as NotesError: error.message
        case let error as FlowError: error.message
        case let error as StoreError: error.message
        default: "\(error)"
        }
    }
}
