import NIOCore

/// The addresses that a connection may lead to.
enum AddressRule: Hashable, Sendable {
    /// Any: the address itself was granted, or all addresses were.
    case any
    /// Public ones, and these, in the form of grants.
    case publicAnd(Set<String>)

    func check(_ address: SocketAddress?) throws(ForbiddenAddress) {
        guard case .publicAnd(let granted) = self else { return }
        guard let address else { throw ForbiddenAddress(name: "an unknown address") }
        guard address.isPublic || granted.contains(address.grantName) else {
            throw ForbiddenAddress(name: address.grantName)
        }
    }
}

/// A name led to a forbidden address; nothing was sent.
struct ForbiddenAddress: Error {
    /// The address in the form of a grant.
    let name: String
}
