public import PlainValue

/// Who asks, as far as the service knows.
public struct Principal: Sendable, Hashable {
    /// The name, which is kept with each input.
    public var name: String
    /// What the service lets them do; a flow can forbid more.
    public var scopes: Set<ServiceScope>
    /// What else is known of them, for flows to decide by.
    public var claims: Value.Record

    /// A principal from its parts.
    public init(name: String, scopes: Set<ServiceScope>, claims: Value.Record = [:]) {
        self.name = name
        self.scopes = scopes
        self.claims = claims
    }
}

extension Principal {
    /// Who asks a service that is open to all.
    static let anyone = Principal(name: "anyone", scopes: Set(ServiceScope.allCases))

    /// The name that is kept with inputs; none if it says nothing of who asked.
    var inputName: String? { self == .anyone ? nil : name }

    /// The principal as a flow's `access` is told.
    var value: Value {
        [
            "name": .string(name), "claims": .record(claims),
            "scopes": .list(Value.List(scopes.map(\.rawValue).sorted().map { .string($0) })),
        ]
    }
}
