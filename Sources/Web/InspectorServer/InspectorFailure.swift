/// The reason why a page cannot be served.
public struct InspectorFailure: Error, CustomStringConvertible {
    /// The reason.
    public let message: String
    /// A way to fix it.
    public let help: String?

    init(_ message: String, help: String? = nil) {
        self.message = message
        self.help = help
    }

    /// The message, with the help if there is any.
    public var description: String { help.map { "\(message): \($0)" } ?? message }
}
