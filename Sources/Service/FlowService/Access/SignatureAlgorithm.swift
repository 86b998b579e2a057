import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A way to check signatures with a public key: an algorithm of RFC 7518, section 3.1, or RFC 8037.
struct SignatureAlgorithm: Sendable {
    /// Returns true for the signature of the bytes; throws for what is no signature at all.
    let verifies: @Sendable (_ signature: [UInt8], _ bytes: [UInt8]) throws -> Bool

    /// The algorithms of an RSA key, by name. Throws an error of the library for other numbers.
    static func rsa(modulus: [UInt8], exponent: [UInt8]) throws -> [String: SignatureAlgorithm] {
        let key = try _RSA.Signing.PublicKey(n: modulus, e: exponent)
        func algorithm<Hash: HashFunction>(
            _ hash: Hash.Type, _ padding: _RSA.Signing.Padding
        ) -> SignatureAlgorithm {
            SignatureAlgorithm { signature, bytes in
                key.isValidSignature(
                    _RSA.Signing.RSASignature(rawRepresentation: signature),
                    for: Hash.hash(data: bytes), padding: padding)
            }
        }
        return [
            "RS256": algorithm(SHA256.self, .insecurePKCS1v1_5),
            "RS384": algorithm(SHA384.self, .insecurePKCS1v1_5),
            "RS512": algorithm(SHA512.self, .insecurePKCS1v1_5),
            "PS256": algorithm(SHA256.self, .PSS),
            "PS384": algorithm(SHA384.self, .PSS),
            "PS512": algorithm(SHA512.self, .PSS),
        ]
    }

    static func p256(_ x: [UInt8], _ y: [UInt8]) throws -> [String: SignatureAlgorithm] {
        let key = try P256.Signing.PublicKey(rawRepresentation: x + y)
        return [
            "ES256": SignatureAlgorithm { signature, bytes in
                let signature = try P256.Signing.ECDSASignature(rawRepresentation: signature)
                return key.isValidSignature(signature, for: SHA256.hash(data: bytes))
            }
        ]
    }

    static func p384(_ x: [UInt8], _ y: [UInt8]) throws -> [String: SignatureAlgorithm] {
        let key = try P384.Signing.PublicKey(rawRepresentation: x + y)
        return [
            "ES384": SignatureAlgorithm { signature, bytes in
                let signature = try P384.Signing.ECDSASignature(rawRepresentation: signature)
                return key.isValidSignature(signature, for: SHA384.hash(data: bytes))
            }
        ]
    }

    static func p521(_ x: [UInt8], _ y: [UInt8]) throws -> [String: SignatureAlgorithm] {
        let key = try P521.Signing.PublicKey(rawRepresentation: x + y)
        return [
            "ES512": SignatureAlgorithm { signature, bytes in
                let signature = try P521.Signing.ECDSASignature(rawRepresentation: signature)
                return key.isValidSignature(signature, for: SHA512.hash(data: bytes))
            }
        ]
    }

    static func ed25519(_ x: [UInt8]) throws -> [String: SignatureAlgorithm] {
        let key = try Curve25519.Signing.PublicKey(rawRepresentation: x)
        return [
            "EdDSA": SignatureAlgorithm { signature, bytes in
                key.isValidSignature(signature, for: bytes)
            }
        ]
    }
}
