/// The way in which a service learns who asks.
public enum ServiceAccess: Sendable {
    /// One token, which is made when the service starts; see ``FlowService/token``. Only for addresses of this computer.
    case madeToken
    /// The tokens of a file, those of an issuer, or both.
    case files(tokens: String?, issuer: TokenIssuer?)
    /// Nobody is asked for a token: everybody may do everything.
    case everybody
}

/// Somebody else who says who people are, by tokens that are signed: JWTs.
public struct TokenIssuer: Sendable {
    /// The file with the issuer's keys, a JWKS.
    public var keys: String
    /// The issuer's name, which each token has as its `iss`.
    public var name: String
    /// The name of this service, which each token has in its `aud`.
    public var audience: String

    /// An issuer from its parts.
    public init(keys: String, name: String, audience: String) {
        self.keys = keys
        self.name = name
        self.audience = audience
    }
}
