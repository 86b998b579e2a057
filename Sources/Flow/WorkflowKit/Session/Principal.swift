public import PlainValue
import WorkflowLua

/// The sender of a request to a session, in the form that all hosts pass to `access`.
///
/// ```swift
/// let ada = Principal("ada", claims: ["role": "editor"])
/// if try await session.allows(ada, ["do": "send", "action": action]) {
///     try await session.send(action, by: ada.name)
/// }
/// ```
public struct Principal: Sendable, Hashable {
    /// The name. Inputs keep it, and `apply` and `state` get it as `context.principal`.
    public var name: String
    /// Further facts that the host knows, such as a role.
    public var claims: Value.Record
    /// The rights that the host grants. A flow can forbid more.
    public var scopes: [String]

    /// Makes a principal from its parts.
    ///
    /// - Parameters:
    ///   - name: The name, which inputs keep.
    ///   - claims: Further facts for `access`, such as a role; none by default.
    ///   - scopes: The rights that the host grants; none by default.
    public init(_ name: String, claims: Value.Record = [:], scopes: [String] = []) {
        self.name = name
        self.claims = claims
        self.scopes = scopes
    }

    /// The principal as `access` gets it.
    public var value: Value {
        [
            "name": .string(name), "claims": .record(claims),
            "scopes": .list(of: scopes.map { .string($0) }),
        ]
    }
}
