/// The files of a flow.
public struct FlowCode: Sendable, Hashable {
    /// Sixteen digits that change with the name or the text of any file.
    public var hash: String
    /// The name of the flow's own file, which requires the others.
    public var main: String
    /// The texts of the files, by their names.
    public var files: [String: String]

    /// The code of a flow from its parts.
    public init(hash: String, main: String, files: [String: String]) {
        self.hash = hash
        self.main = main
        self.files = files
    }
}
