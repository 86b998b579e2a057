/// Where a session's flow comes from.
public enum FlowSource: Sendable {
    /// A file, whose folder holds its modules.
    case file(String)
    /// A text; `name` is what messages show as its file, `modules` are the texts it may require.
    case text(String, name: String = "flow.lua", modules: [String: String] = [:])
}
