import Crypto
import Foundation
import PlainValue
import Testing
import WorkflowKit
import WorkflowLua

@testable import FlowService

struct SignedTokenTests {
    private let tokens = SignedTokens(issuer: "https://id.example", audience: "todo")
    private let now = 1_000_000.0
    private let good: Value.Record = [
        "sub": "ada", "iss": "https://id.example", "aud": "todo", "exp": 1_000_100,
        "scope": "read act email",
    ]

    private func keys(_ values: [Value]) throws(FlowError) -> IssuerKeys {
        let document: Value = ["keys": .list(Value.List(values))]
        return try IssuerKeys(Array(document.json.utf8), file: "keys.json")
    }

    private func header(_ algorithm: String, _ id: String? = "one") -> Value.Record {
        var record: Value.Record = ["alg": .string(algorithm), "typ": "JWT"]
        if let id { record["kid"] = .string(id) }
        return record
    }

    private func refusal(of token: String, by keys: IssuerKeys) -> String? {
        do throws(Refusal) {
            _ = try tokens.principal(of: token, by: keys, now: now)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(arguments: TestIssuer.Kind.allCases)
    func eachKindOfKeyIsTakenAndAChangedTextOrTheKeyOfAnotherIsNot(kind: TestIssuer.Kind) throws {
        let issuer = try TestIssuer(kind, id: "one")
        let keys = try keys([issuer.key])
        let token = try issuer.token(header(issuer.kind.rawValue), good)
        let principal = try tokens.principal(of: token, by: keys, now: now)
        #expect(principal == Principal("ada", claims: good, scopes: [.read, .act]))
        // A single key needs no id.
        let plain = try issuer.token(header(issuer.kind.rawValue, nil), good)
        #expect(refusal(of: plain, by: keys) == nil)

        var parts = token.split(separator: ".").map(String.init)
        var changed = good
        changed["sub"] = "bob"
        parts[1] = TestIssuer.text(changed)
        #expect(refusal(of: parts.joined(separator: "."), by: keys) == "its signature is wrong")

        guard !kind.isRSA else { return }
        let other = try TestIssuer(kind, id: "one")
        let foreign = try other.token(header(other.kind.rawValue), good)
        #expect(refusal(of: foreign, by: keys) == "its signature is wrong")
    }

    @Test(arguments: ["none", "None", "NONE", ""])
    func aTokenWithoutASignatureIsRefusedHoweverItsAlgorithmIsWritten(algorithm: String) throws {
        let issuer = try TestIssuer(.es256, id: "one")
        let keys = try keys([issuer.key])
        for id in ["one", nil] {
            let token = "\(TestIssuer.text(header(algorithm, id))).\(TestIssuer.text(good))."
            #expect(refusal(of: token, by: keys) == "no key is known for its signature")
        }
    }

    @Test func whatIsSignedByHMACWithTheTextOfThePublicKeyIsRefused() throws {
        let issuer = try TestIssuer(.rs256, id: "one")
        let keys = try keys([issuer.key])
        for secret in [issuer.key.json, issuer.key["n"]?.string ?? ""] {
            let signed = "\(TestIssuer.text(header("HS256"))).\(TestIssuer.text(good))"
            let code = HMAC<SHA256>.authenticationCode(
                for: Data(signed.utf8), using: SymmetricKey(data: Data(secret.utf8)))
            let token = "\(signed).\(TestIssuer.text(Array(code)))"
            #expect(refusal(of: token, by: keys) == "no key is known for its signature")
        }
    }

    @Test func aKeyIsGoodForTheAlgorithmsOfItsKindAlone() throws {
        let (one, two) = (try TestIssuer(.es256, id: "one"), try TestIssuer(.eddsa, id: "two"))
        let keys = try keys([one.key, two.key])
        #expect(refusal(of: try one.token(header("ES256", "one"), good), by: keys) == nil)
        for (algorithm, id) in [
            ("ES256", "two"), ("EdDSA", "one"), ("ES384", "one"), ("RS256", "one"),
            ("ES256", "three"), ("ES256", nil),
        ] {
            let token = try one.token(header(algorithm, id), good)
            #expect(refusal(of: token, by: keys) == "no key is known for its signature")
        }
        // The same key with each algorithm that the set allows.
        var narrow = one.key.record ?? [:]
        narrow["alg"] = "ES256"
        let narrowed = try self.keys([.record(narrow)])
        #expect(refusal(of: try one.token(header("ES256"), good), by: narrowed) == nil)
    }

    @Test func timesIssuerAudienceAndNameAreHeldAgainstWhatIsExpected() throws {
        let issuer = try TestIssuer(.es256, id: "one")
        let keys = try keys([issuer.key])
        func refusal(_ changes: Value.Record) throws -> String? {
            var claims = good
            for (name, value) in changes { claims[name] = value == .null ? nil : value }
            return self.refusal(of: try issuer.token(header("ES256"), claims), by: keys)
        }
        #expect(try refusal(["exp": 999_971]) == nil)
        #expect(try refusal(["exp": 999_970]) == "it has expired")
        #expect(try refusal(["exp": .null]) == "it has no \"exp\"")
        #expect(try refusal(["exp": "2040"]) == "it has no \"exp\"")
        #expect(try refusal(["nbf": 1_000_030]) == nil)
        #expect(try refusal(["nbf": 1_000_031]) == "it is not valid yet")
        #expect(try refusal(["nbf": "x"]) == "it is not valid yet")
        #expect(try refusal(["iss": "https://evil.example"]) == "it is of another issuer")
        #expect(try refusal(["iss": .null]) == "it is of another issuer")
        #expect(try refusal(["aud": "shop"]) == "it is for another service")
        #expect(try refusal(["aud": .null]) == "it is for another service")
        #expect(try refusal(["aud": ["shop", "todo"]]) == nil)
        #expect(try refusal(["aud": []]) == "it is for another service")
        let noName =
            "its \"sub\" is not a name: a name has 1 to 200 bytes, no blanks and no invisible characters, and does not begin with #"
        for sub: Value in [
            .null, "", "a b", "a\u{0}", 7, .string(String(repeating: "a", count: 201)),
        ] { #expect(try refusal(["sub": sub]) == noName) }
        #expect(try refusal(["scope": .null]) == nil)
    }

    @Test func whatIsNotATokenOrAsksForMoreThanIsKnownIsRefused() throws {
        let issuer = try TestIssuer(.es256, id: "one")
        let keys = try keys([issuer.key])
        for text in ["", "a.b", "a.b.c", "....", "e30.e30.!", "e30=.e30.aa"] {
            #expect(refusal(of: text, by: keys) == "it cannot be read")
        }
        var critical = header("ES256")
        critical["crit"] = ["b64"]
        #expect(
            refusal(of: try issuer.token(critical, good), by: keys)
                == "it asks for what is not known here")
    }

    @Test func keysThatCannotBeUsedAreToldWhenTheSetIsRead() throws {
        let help = "give the JWKS of the issuer: {\"keys\": […]} with RSA, EC or OKP keys"
        func message(_ text: String) -> String? {
            do throws(FlowError) {
                _ = try IssuerKeys(Array(text.utf8), file: "keys.json")
                return nil
            } catch {
                #expect(error.help == help)
                return error.message
            }
        }
        let start = "keys.json is not a set of keys: "
        #expect(message("[]") == start + "it has no \"keys\"")
        #expect(
            message("{\"keys\":[]}") == start
                + "it has no key for signatures of a kind that is known here")
        #expect(
            message("{\"keys\":[{\"kty\":\"RSA\",\"use\":\"enc\"}]}")
                == start + "it has no key for signatures of a kind that is known here")
        #expect(
            message("{\"keys\":[{\"kty\":\"oct\",\"k\":\"c2VjcmV0\"}]}")
                == start + "key 1 is a secret that both sides know (\"oct\"), which is not taken")
        #expect(
            message("{\"keys\":[{\"kty\":\"RSA\",\"n\":\"c2VjcmV0\",\"e\":\"AQAB\"}]}")
                == start + "key 1 has fewer than 2048 bits")
        #expect(
            message("{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AA\",\"y\":\"AA\"}]}")
                == start + "key 1 cannot be used")
        var other = try TestIssuer(.es256, id: "k").key.record ?? [:]
        other["alg"] = "RS256"
        #expect(
            message("{\"keys\":[\(Value.record(other).json)]}")
                == start + "key 1 is not for the algorithm 'RS256'")
        #expect(
            message("{\"keys\":[{\"kty\":\"?\"}]}")
                == start + "it has no key for signatures of a kind that is known here")
        let curve = try TestIssuer(.eddsa, id: "k").key.json
        #expect(
            message("{\"keys\":[\(curve),\(curve)]}")
                == start + "key 2 has the id of another one, 'k'")
        #expect(
            message("{\"keys\":[{\"kty\":\"EC\",\"crv\":\"secp256k1\"},\(curve)]}") == nil)
    }
}
