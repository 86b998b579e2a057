/// The files of a flow.
public struct FlowCode: Sendable, Hashable {
    /// Sixteen digits that change with the name or text of any file.
    public var hash: String
    /// The name of the flow's main file.
    public var main: String
    /// The texts of the files by name.
    public var files: [String: String]

    /// Creates the code of a flow.
    public init(hash: String, main: String, files: [String: String]) {
        self.hash = hash
        self.main = main
        self.files = files
    }
}
