import Crypto
import CryptoExtras
import Foundation
import PlainValue

struct TestIssuer {
    /// The algorithms of signatures, by their names in tokens.
    enum Kind: String, CaseIterable {
        case rs256 = "RS256"
        case rs384 = "RS384"
        case rs512 = "RS512"
        case ps256 = "PS256"
        case ps384 = "PS384"
        case ps512 = "PS512"
        case es256 = "ES256"
        case es384 = "ES384"
        case es512 = "ES512"
        case eddsa = "EdDSA"

        var isRSA: Bool { rawValue.hasPrefix("RS") || rawValue.hasPrefix("PS") }
    }

    let kind: Kind
    private let sign: ([UInt8]) throws -> [UInt8]
    /// The public key in the form of a key set.
    let key: Value

    init(_ kind: Kind, id: String) throws {
        var key: Value.Record = ["kid": .string(id), "use": "sig"]
        func setPoint(_ curve: String, _ point: Data) {
            key["kty"] = "EC"
            key["crv"] = .string(curve)
            key["x"] = .string(Self.text(Array(point.prefix(point.count / 2))))
            key["y"] = .string(Self.text(Array(point.suffix(point.count / 2))))
        }
        switch kind {
        case .rs256: sign = { try Self.sign(SHA256.hash(data: $0), .insecurePKCS1v1_5) }
        case .rs384: sign = { try Self.sign(SHA384.hash(data: $0), .insecurePKCS1v1_5) }
        case .rs512: sign = { try Self.sign(SHA512.hash(data: $0), .insecurePKCS1v1_5) }
        case .ps256: sign = { try Self.sign(SHA256.hash(data: $0), .PSS) }
        case .ps384: sign = { try Self.sign(SHA384.hash(data: $0), .PSS) }
        case .ps512: sign = { try Self.sign(SHA512.hash(data: $0), .PSS) }
        case .es256:
            let secret = P256.Signing.PrivateKey()
            sign = { Array(try secret.signature(for: SHA256.hash(data: $0)).rawRepresentation) }
            setPoint("P-256", secret.publicKey.rawRepresentation)
        case .es384:
            let secret = P384.Signing.PrivateKey()
            sign = { Array(try secret.signature(for: SHA384.hash(data: $0)).rawRepresentation) }
            setPoint("P-384", secret.publicKey.rawRepresentation)
        case .es512:
            let secret = P521.Signing.PrivateKey()
            sign = { Array(try secret.signature(for: SHA512.hash(data: $0)).rawRepresentation) }
            setPoint("P-521", secret.publicKey.rawRepresentation)
        case .eddsa:
            let secret = Curve25519.Signing.PrivateKey()
            sign = { Array(try secret.signature(for: $0)) }
            key["kty"] = "OKP"
            key["crv"] = "Ed25519"
            key["x"] = .string(Self.text(Array(secret.publicKey.rawRepresentation)))
        }
        if kind.isRSA {
            let parts = try Self.rsaKey.get().publicKey.getKeyPrimitives()
            key["kty"] = "RSA"
            key["n"] = .string(Self.text(Array(parts.modulus)))
            key["e"] = .string(Self.text(Array(parts.publicExponent)))
        }
        self.kind = kind
        self.key = .record(key)
    }

    /// Made once, because it takes long.
    private static let rsaKey = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    private static func sign(
        _ digest: some Digest, _ padding: _RSA.Signing.Padding
    ) throws -> [UInt8] {
        Array(try rsaKey.get().signature(for: digest, padding: padding).rawRepresentation)
    }

    func token(_ header: Value.Record, _ claims: Value.Record) throws -> String {
        let signed = "\(Self.text(header)).\(Self.text(claims))"
        return signed + "." + Self.text(try sign(Array(signed.utf8)))
    }

    static func text(_ record: Value.Record) -> String {
        text(Array(Value.record(record).json.utf8))
    }

    static func text(_ bytes: [UInt8]) -> String { urlSafe(Data(bytes).base64EncodedString()) }

    private static func urlSafe(_ text: String) -> String {
        text.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
