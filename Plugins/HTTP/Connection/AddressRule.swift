import NIOCore

/// Which addresses a connection may lead to.
enum AddressRule: Hashable, Sendable {
    /// Any: the address is what was granted, or everything was.
    case any
    /// Public ones, and these, as grants name them.
    case publicAnd(Set<String>)

    /// Makes sure that a connection which was just made leads where it may.
    ///
    /// - Throws: A ``ForbiddenAddress``.
    func check(_ address: SocketAddress?) throws(ForbiddenAddress) {
        guard case .publicAnd(let granted) = self else { return }
        guard let address else { throw ForbiddenAddress(name: "an unknown address") }
        guard address.isPublic || granted.contains(address.grantName) else {
            throw ForbiddenAddress(name: address.grantName)
        }
    }
}

/// A name led to an address that it may not lead to; nothing was sent.
struct ForbiddenAddress: Error {
    /// The address as a grant names it.
    let name: String
}
