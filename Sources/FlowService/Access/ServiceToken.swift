import Crypto
import HTTPServing
import PlainValue

/// A token that somebody shows, and the line by which a file of tokens knows it.
///
/// The file has the token's SHA-256 only: whoever reads it cannot use it.
public struct ServiceToken: Sendable {
    /// The token: 128 random bits as text.
    public let text: String
    /// The line of the file, without its end.
    public let line: String

    /// A new token.
    ///
    /// - Parameter principal: Who it is for; the name has no blanks.
    public init(for principal: Principal) {
        text = "wfs_" + SecretText.random()
        let scopes = ServiceScope.allCases.filter(principal.scopes.contains).map(\.rawValue)
        var words = [
            principal.name, scopes.isEmpty ? "-" : scopes.joined(separator: ","),
            "sha256:" + Self.digits(Self.hash(text)),
        ]
        if !principal.claims.isEmpty { words.append(Value.record(principal.claims).json) }
        line = words.joined(separator: " ")
    }

    /// Whether somebody can have this name.
    public static func canName(_ text: String) -> Bool { PrincipalName(text) != nil }

    /// The SHA-256 of a token.
    static func hash(_ token: String) -> [UInt8] { Array(SHA256.hash(data: Array(token.utf8))) }

    private static func digits(_ bytes: [UInt8]) -> String {
        bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
