import PlainValue
import WorkflowKit

/// Verifies signed tokens and reads their principals.
struct SignedTokens: Sendable {
    /// The tolerated difference between two computers' clocks, in seconds.
    private static let leeway = 30.0

    let issuer: String
    let audience: String

    /// True if a text looks like a signed token rather than a token of a file.
    static func canBe(_ token: String) -> Bool { token.utf8.count { $0 == UInt8(ascii: ".") } == 2 }

    /// - Parameter now: The time, in seconds since 1970.
    func principal(
        of token: String, by keys: IssuerKeys, now: Double
    ) throws(Refusal) -> Principal {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.record(parts[0]),
            let signature = Base64URL.decode(parts[2])
        else { throw Refusal("it cannot be read") }
        // The token requires extensions; this service has none.
        guard header["crit"] == nil else { throw Refusal("it asks for what is not known here") }
        guard let name = header["alg"]?.string,
            let algorithm = keys.algorithm(name, key: header["kid"]?.string)
        else { throw Refusal("no key is known for its signature") }
        let signed = Array(token.utf8.prefix(parts[0].count + 1 + parts[1].count))
        guard (try? algorithm.verifies(signature, signed)) == true else {
            throw Refusal("its signature is wrong")
        }
        guard let claims = Self.record(parts[1]) else { throw Refusal("it cannot be read") }
        try checkTimes(claims, now)
        try checkParties(claims)
        guard let name = claims["sub"]?.string.flatMap(PrincipalName.init) else {
            throw Refusal("its \"sub\" is not a name: \(PrincipalName.rule)")
        }
        // Unknown words are scopes of other services.
        let words = (claims["scope"]?.string ?? "").split(separator: " ")
        return Principal(
            name.text, claims: claims,
            scopes: Set(words.compactMap { ServiceScope(rawValue: String($0)) }))
    }

    private func checkTimes(_ claims: Value.Record, _ now: Double) throws(Refusal) {
        guard let end = claims["exp"]?.number else { throw Refusal("it has no \"exp\"") }
        guard now < end + Self.leeway else { throw Refusal("it has expired") }
        guard let start = claims["nbf"] else { return }
        guard let start = start.number, start <= now + Self.leeway else {
            throw Refusal("it is not valid yet")
        }
    }

    private func checkParties(_ claims: Value.Record) throws(Refusal) {
        guard claims["iss"]?.string == issuer else { throw Refusal("it is of another issuer") }
        let audiences = claims["aud"]?.list.map { Array($0) } ?? [claims["aud"] ?? .null]
        guard audiences.contains(.string(audience)) else {
            throw Refusal("it is for another service")
        }
    }

    private static func record(_ part: Substring.UTF8View) -> Value.Record? {
        guard let bytes = Base64URL.decode(part) else { return nil }
        return bytes.withUnsafeBytes { try? Value(json: $0) }?.record
    }
}
