/// The error for a plugin that cannot be loaded or registered.
public struct PluginError: Error, Sendable, Hashable {
    /// The reason for a refusal.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// There is no such file.
        case noFile = "no_file"
        /// The file is not a shared library, or cannot be loaded here.
        case noLibrary = "no_library"
        /// The library has no plugin entry point.
        case noPlugin = "no_plugin"
        /// The plugin is built for another version of the interface.
        case wrongVersion = "wrong_version"
        /// The plugin's table contradicts itself.
        case badTable = "bad_table"
        /// A worker or a plugin has a name or a type that cannot be used.
        case badWorker = "bad_worker"
        /// Another plugin has a worker of this name.
        case duplicateWorker = "duplicate_worker"
    }

    /// The reason.
    public let code: Code
    /// One sentence, without a full stop.
    public let message: String
    /// A way to fix it.
    public let help: String?

    init(_ code: Code, _ message: String, help: String? = nil) {
        self.code = code
        self.message = message
        self.help = help
    }
}

extension PluginError: CustomStringConvertible {
    /// The message, and the help in brackets.
    public var description: String { help.map { "\(message) (\($0))" } ?? message }
}
