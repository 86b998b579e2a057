import PlainValue
import WorkflowLua

/// The keys of an issuer: the signature keys of a JWKS file.
///
/// Each key is limited to the algorithms of its own kind, and shared secrets are refused. So a
/// public key can never be taken for a shared secret.
struct IssuerKeys: Sendable {
    private struct Key {
        let id: String?
        let algorithms: [String: SignatureAlgorithm]
    }

    private let keys: [Key]

    /// Skips keys of unknown kinds (RFC 7517, section 5). Throws for a file that is not a JWKS or
    /// has an unusable key.
    init(_ bytes: [UInt8], file: String) throws(FlowError) {
        func failure(_ reason: String) -> FlowError {
            FlowError(.badKeys, file, reason)
        }
        let document = bytes.withUnsafeBytes { try? Value(json: $0, limits: .document) }
        guard let list = document?["keys"]?.list else { throw failure("it has no \"keys\"") }
        var keys: [Key] = []
        for (index, value) in list.enumerated() {
            // Skip encryption keys.
            if let use = value["use"]?.string, use != "sig" { continue }
            do throws(Refusal) {
                guard let key = try Self.key(value) else { continue }
                try Self.requireNew(key, beside: keys)
                keys.append(key)
            } catch {
                throw failure("key \(index + 1) \(error.reason)")
            }
        }
        guard !keys.isEmpty else {
            throw failure("it has no key for signatures of a kind that is known here")
        }
        self.keys = keys
    }

    /// The algorithm for a key id and an algorithm name; `nil` if there is no such key.
    func algorithm(_ name: String, key id: String?) -> SignatureAlgorithm? {
        guard let id else { return keys.count == 1 ? keys[0].algorithms[name] : nil }
        return keys.first { $0.id == id && $0.algorithms[name] != nil }?.algorithms[name]
    }

    /// Makes sure that a token means one key.
    private static func requireNew(_ key: Key, beside keys: [Key]) throws(Refusal) {
        guard let id = key.id else { return }
        for other in keys where other.id == id {
            guard other.algorithms.keys.allSatisfy({ key.algorithms[$0] == nil }) else {
                throw Refusal("has the id of another one, '\(id)'")
            }
        }
    }

    /// A key; `nil` for one of a kind that is not known.
    private static func key(_ value: Value) throws(Refusal) -> Key? {
        let given = value["alg"]?.string
        guard let all = try algorithms(of: value) else { return nil }
        let usable = all.filter { given == nil || $0.key == given }
        guard !usable.isEmpty else {
            throw Refusal("is not for the algorithm '\(given ?? "")'")
        }
        return Key(id: value["kid"]?.string, algorithms: usable)
    }

    private static func algorithms(
        of value: Value
    ) throws(Refusal) -> [String: SignatureAlgorithm]? {
        func number(_ name: String) -> [UInt8] {
            Base64URL.decode((value[name]?.string ?? "").utf8) ?? []
        }
        do {
            switch (value["kty"]?.string, value["crv"]?.string) {
            case ("RSA", _):
                let modulus = number("n")
                guard modulus.drop(while: { $0 == 0 }).count >= 256 else {
                    throw Refusal("has fewer than 2048 bits")
                }
                return try SignatureAlgorithm.rsa(modulus: modulus, exponent: number("e"))
            case ("EC", "P-256"): return try SignatureAlgorithm.p256(number("x"), number("y"))
            case ("EC", "P-384"): return try SignatureAlgorithm.p384(number("x"), number("y"))
            case ("EC", "P-521"): return try SignatureAlgorithm.p521(number("x"), number("y"))
            case ("OKP", "Ed25519"): return try SignatureAlgorithm.ed25519(number("x"))
            case ("oct", _):
                throw Refusal("is a secret that both sides know (\"oct\"), which is not taken")
            default: return nil
            }
        } catch let error as Refusal {
            throw error
        } catch {
            throw Refusal("cannot be used")
        }
    }
}
