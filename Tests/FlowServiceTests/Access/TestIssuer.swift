import Crypto
import CryptoExtras
import Foundation
import JWTKit
import PlainValue

/// A token issuer that can sign anything with a key.
struct TestIssuer {
    /// The supported kinds of keys.
    enum Kind: String, CaseIterable {
        case rsa, es256, es384, es512, eddsa
    }

    let algorithm: any JWTAlgorithm
    /// The public key in the form of a key set.
    let key: Value

    init(_ kind: Kind, id: String) async throws {
        let keys = JWTKeyCollection()
        var key: Value.Record = ["kid": .string(id), "use": "sig"]
        switch kind {
        case .rsa:
            let secret = try Self.rsaKey.get()
            algorithm = try await keys.add(
                rsa: Insecure.RSA.PrivateKey(backing: secret), digestAlgorithm: .sha256
            ).getKey()
            let parts = try secret.publicKey.getKeyPrimitives()
            key["kty"] = "RSA"
            key["n"] = .string(Self.text(Array(parts.modulus)))
            key["e"] = .string(Self.text(Array(parts.publicExponent)))
        case .es256, .es384, .es512:
            let parameters: ECDSAParameters?
            switch kind {
            case .es256:
                let secret = ES256PrivateKey()
                algorithm = try await keys.add(ecdsa: secret).getKey()
                parameters = secret.publicKey.parameters
                key["crv"] = "P-256"
            case .es384:
                let secret = ES384PrivateKey()
                algorithm = try await keys.add(ecdsa: secret).getKey()
                parameters = secret.publicKey.parameters
                key["crv"] = "P-384"
            default:
                let secret = ES512PrivateKey()
                algorithm = try await keys.add(ecdsa: secret).getKey()
                parameters = secret.publicKey.parameters
                key["crv"] = "P-521"
            }
            key["kty"] = "EC"
            key["x"] = .string(Self.urlSafe(parameters?.x ?? ""))
            key["y"] = .string(Self.urlSafe(parameters?.y ?? ""))
        case .eddsa:
            let secret = Curve25519.Signing.PrivateKey()
            algorithm = try await keys.add(
                eddsa: EdDSA.PrivateKey(
                    d: Self.text(Array(secret.rawRepresentation)), curve: .ed25519)
            ).getKey()
            key["kty"] = "OKP"
            key["crv"] = "Ed25519"
            key["x"] = .string(Self.text(Array(secret.publicKey.rawRepresentation)))
        }
        self.key = .record(key)
    }

    /// Made once, because it takes long.
    private static let rsaKey = Result {
        try _RSA.Signing.PrivateKey(keySize: .bits2048)
    }

    /// A token with this header and these claims.
    func token(_ header: Value.Record, _ claims: Value.Record) throws -> String {
        let signed = "\(Self.text(header)).\(Self.text(claims))"
        return signed + "." + Self.text(try algorithm.sign(Array(signed.utf8)))
    }

    static func text(_ record: Value.Record) -> String {
        text(Array(Value.record(record).json.utf8))
    }

    static func text(_ bytes: [UInt8]) -> String {
        urlSafe(Data(bytes).base64EncodedString())
    }

    private static func urlSafe(_ text: String) -> String {
        text.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
