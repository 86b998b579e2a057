import Crypto
import HTTPServing
import PlainValue

/// A token, and its line in a file of tokens.
///
/// ```swift
/// let ada = Principal(name: "ada", scopes: [.read, .act], claims: ["team": "red"])
/// let token = ServiceToken(for: ada)
/// print(token.text)  // for Ada, once
/// print(token.line)  // for the file of tokens
/// ```
///
/// The file holds only the token's SHA-256, so a reader of the file cannot use it.
public struct ServiceToken: Sendable {
    /// The token: 128 random bits as text.
    ///
    /// - Important: Nothing else holds it: give it to its owner now.
    public let text: String
    /// The line of the file, without its end.
    public let line: String

    /// Makes a new token.
    ///
    /// - Parameter principal: The token's principal. The name has no blanks.
    public init(for principal: Principal) {
        text = "wfs_" + SecretText.random()
        let scopes = ServiceScope.allCases.filter(principal.scopes.contains).map(\.rawValue)
        var words = [
            principal.name, scopes.isEmpty ? "-" : scopes.joined(separator: ","),
            "sha256:" + Self.hash(text).hexDigits,
        ]
        if !principal.claims.isEmpty { words.append(Value.record(principal.claims).json) }
        line = words.joined(separator: " ")
    }

    /// True if a principal can have this name.
    ///
    /// ```swift
    /// print(ServiceToken.canName("ada lovelace"))  // false: there is a blank
    /// ```
    public static func canName(_ text: String) -> Bool { PrincipalName(text) != nil }

    static func hash(_ token: String) -> [UInt8] { Array(SHA256.hash(data: Array(token.utf8))) }
}

extension Sequence<UInt8> {
    var hexDigits: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
