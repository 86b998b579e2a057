import Crypto
import HTTPServing
public import PlainValue

/// A token, and its line in a file of tokens.
///
/// ```swift
/// let token = ServiceToken(for: "ada", scopes: [.read, .act], claims: ["team": "red"])
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
    /// - Parameters:
    ///   - name: The name of its owner, which is stored with each input. It has no blanks.
    ///   - scopes: The requests that the service allows. A flow can forbid more.
    ///   - claims: Further facts for the decisions of flows; none by default.
    public init(for name: String, scopes: Set<ServiceScope>, claims: Value.Record = [:]) {
        text = Self.random()
        let words = ServiceScope.allCases.filter(scopes.contains).map(\.rawValue)
        var parts = [
            name, words.isEmpty ? "-" : words.joined(separator: ","),
            "sha256:" + Self.hash(text).hexDigits,
        ]
        if !claims.isEmpty { parts.append(Value.record(claims).json) }
        line = parts.joined(separator: " ")
    }

    /// True if a principal can have this name.
    ///
    /// ```swift
    /// print(ServiceToken.canName("ada lovelace"))  // false: there is a blank
    /// ```
    public static func canName(_ text: String) -> Bool { PrincipalName(text) != nil }

    /// The text of a new token.
    static func random() -> String { "wfs_" + SecretText.random() }

    static func hash(_ token: String) -> [UInt8] { Array(SHA256.hash(data: Array(token.utf8))) }
}

extension Sequence<UInt8> {
    var hexDigits: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
