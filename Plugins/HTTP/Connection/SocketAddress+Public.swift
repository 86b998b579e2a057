import NIOCore

extension SocketAddress {
    /// True if the address means the same machine everywhere in the internet. Not this machine, its
    /// neighbours, private networks, multicast, nor these inside of IPv6.
    var isPublic: Bool {
        switch self {
        case .v4: ipBytes.map { Self.isPublic(version4: $0) } ?? false
        case .v6: ipBytes.map { Self.isPublic(version6: $0) } ?? false
        case .unixDomainSocket: false
        }
    }

    /// The address in the form of grants: IPv4 inside IPv6 as IPv4, other IPv6 in brackets.
    var grantName: String {
        guard let bytes = ipBytes, bytes.count == 16 else { return ipAddress ?? "\(self)" }
        if Self.holdsVersion4(bytes) {
            return bytes.suffix(4).map(String.init).joined(separator: ".")
        }
        return "[\(ipAddress ?? "::")]"
    }

    private var ipBytes: [UInt8]? {
        // The offsets of sin_addr and sin6_addr on all systems, whose names for the fields differ.
        switch self {
        case .v4(let address): withUnsafeBytes(of: address.address) { Array($0[4..<8]) }
        case .v6(let address): withUnsafeBytes(of: address.address) { Array($0[8..<24]) }
        case .unixDomainSocket: nil
        }
    }

    private static func isPublic(version4 bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1]) {
        case (0, _), (10, _), (127, _), (224..., _): false
        case (100, 64..<128), (169, 254), (172, 16..<32), (192, 168), (198, 18...19): false
        case (192, 0): bytes[2] != 0
        default: true
        }
    }

    private static func isPublic(version6 bytes: [UInt8]) -> Bool {
        // ::ffff:a.b.c.d and, for networks without IPv4, 64:ff9b::a.b.c.d.
        if holdsVersion4(bytes)
            || bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0])
        {
            return isPublic(version4: Array(bytes.suffix(4)))
        }
        // 2002:a.b.c.d:: and 2001:0::, which contain an IPv4 address too.
        if bytes.starts(with: [0x20, 0x02]) { return isPublic(version4: Array(bytes[2..<6])) }
        if bytes.starts(with: [0x20, 0x01, 0, 0]) { return false }
        return bytes[0] & 0xE0 == 0x20
    }

    private static func holdsVersion4(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
    }
}
