/// The ways to authenticate the callers of a service.
public enum ServiceAccess: Sendable {
    /// A token made at the start, for local addresses only; see ``FlowService/token``.
    case madeToken
    /// The tokens of a file, of an issuer, or both.
    case files(tokens: String?, issuer: TokenIssuer?)
    /// No token.
    ///
    /// - Warning: Everybody may do everything.
    case everybody
}

/// An issuer of signed tokens (JWTs).
public struct TokenIssuer: Sendable {
    /// The file with the issuer's keys, a JWKS.
    public var keys: String
    /// The issuer's name: the `iss` of each token.
    public var name: String
    /// The name of this service, which the `aud` of each token contains.
    public var audience: String

    /// Makes an issuer from its parts.
    ///
    /// ```swift
    /// let issuer = TokenIssuer(
    ///     keys: "jwks.json", name: "https://login.example.com", audience: "flows")
    /// options.access = .files(tokens: nil, issuer: issuer)
    /// ```
    ///
    /// - Parameters:
    ///   - keys: The path of the file with the keys, a JWKS.
    ///   - name: The `iss` of each token.
    ///   - audience: The name of this service, which the `aud` of each token contains.
    public init(keys: String, name: String, audience: String) {
        self.keys = keys
        self.name = name
        self.audience = audience
    }
}
