import PlainValue

/// The files of a flow.
public struct FlowCode: Sendable, Hashable {
    /// Sixteen digits that change with the name or text of any file.
    public var hash: String
    /// The name of the flow's main file.
    public var main: String
    /// The texts of the files by name.
    public var files: [String: String]

    /// Makes the code of a flow from its parts.
    ///
    /// - Parameters:
    ///   - hash: Sixteen digits that change with the name or text of any file.
    ///   - main: The name of the main file, one of those in `files`.
    ///   - files: The texts by file name.
    public init(hash: String, main: String, files: [String: String]) {
        self.hash = hash
        self.main = main
        self.files = files
    }
}

extension FlowCode {
    /// The files as JSON, sorted by name.
    package var text: String {
        Value.record(
            Value.Record(files.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        ).json
    }

    package init(hash: String, main: String, text: String) throws {
        let files = try StoredValue.value(of: text).record ?? [:]
        self.init(
            hash: hash, main: main,
            // Two names may be one to Swift that are two in the text.
            files: Dictionary(files.map { ($0.key, $0.value.string ?? "") }) { first, _ in first })
    }
}
