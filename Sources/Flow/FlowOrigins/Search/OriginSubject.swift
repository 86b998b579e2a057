public import PlainValue
public import Workflow

/// A value whose origin is asked for.
///
/// ```swift
/// let text = try ValuePath(parsing: "items[1].text")
/// let origin = try await session.origin(of: .state(text, of: nil), through: 3)
/// ```
public enum OriginSubject: Sendable, Hashable {
    /// A path of the rendering.
    case rendering(ValuePath)
    /// A path of the state of a node; `nil` is the root.
    case state(ValuePath, of: NodePath?)
    /// A path of the props of a node; `nil` is the root.
    case props(ValuePath, of: NodePath?)
    /// A path of the last action of a step that a node applied; `nil` is any node.
    case action(ValuePath, of: NodePath?)
}
