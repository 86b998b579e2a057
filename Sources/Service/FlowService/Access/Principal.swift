public import PlainValue
import WorkflowKit

/// The caller of a request.
public struct Principal: Sendable, Hashable {
    /// The name, which is stored with each input.
    public var name: String
    /// The scopes that the service grants. A flow can forbid more.
    public var scopes: Set<ServiceScope>
    /// Further claims, for the decisions of flows.
    public var claims: Value.Record

    /// Makes a principal from its parts.
    ///
    /// ```swift
    /// let ada = Principal(name: "ada", scopes: Set(ServiceScope.allCases))
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name, which is stored with each input.
    ///   - scopes: The requests that the service allows. A flow can forbid more.
    ///   - claims: Further claims, for the decisions of flows; none by default.
    public init(name: String, scopes: Set<ServiceScope>, claims: Value.Record = [:]) {
        self.name = name
        self.scopes = scopes
        self.claims = claims
    }
}

extension Principal {
    /// The principal of a service that is open to all.
    static let anyone = Principal(name: "anyone", scopes: Set(ServiceScope.allCases))

    /// The name that is stored with inputs; `nil` for an anonymous caller.
    var inputName: String? { self == .anyone ? nil : name }

    var flowPrincipal: FlowPrincipal {
        FlowPrincipal(name, claims: claims, scopes: scopes.map(\.rawValue).sorted())
    }
}
