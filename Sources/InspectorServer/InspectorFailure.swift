/// The reason why a page cannot be served.
public struct InspectorFailure: Error, CustomStringConvertible {
    /// What is the matter.
    public let message: String
    /// What to do about it.
    public let help: String?

    init(_ message: String, help: String? = nil) {
        self.message = message
        self.help = help
    }

    /// The message, with the help if there is one.
    public var description: String { help.map { "\(message): \($0)" } ?? message }
}
