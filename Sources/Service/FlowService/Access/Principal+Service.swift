import PlainValue
import WorkflowKit

extension Principal {
    /// The principal of a service that is open to all.
    static let anyone = Principal("anyone", scopes: Set(ServiceScope.allCases))

    /// Makes the principal of scopes of the service.
    init(_ name: String, claims: Value.Record = [:], scopes: Set<ServiceScope>) {
        self.init(name, claims: claims, scopes: scopes.map(\.rawValue).sorted())
    }

    /// The name that is stored with inputs; `nil` for an anonymous caller.
    var inputName: String? { self == .anyone ? nil : name }

    /// True if the service grants a scope. A flow can forbid more.
    func has(_ scope: ServiceScope) -> Bool { scopes.contains(scope.rawValue) }
}
