/// The layout of JSON.
public enum JSONStyle: Sendable, Hashable {
    /// On one line, without spaces.
    case compact
    /// On lines indented by two spaces.
    case pretty
}
