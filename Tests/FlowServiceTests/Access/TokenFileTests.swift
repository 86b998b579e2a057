import Foundation
import HTTPServing
import PlainValue
import Testing
import WorkflowKit
import WorkflowLua

@testable import FlowService

struct TokenFileTests {
    private func table(_ text: String) throws(FlowError) -> TokenTable {
        try TokenTable(Array(text.utf8), file: "tokens.txt")
    }

    @Test func aTokenIsKnownByItsLineWhichGivesItsNameScopesAndClaims() throws {
        let ada = Principal("ada", claims: ["team": "red hot"], scopes: [.read, .act])
        let bob = Principal("bob")
        let tokens = [ada, bob, ada].map {
            let scopes = Set($0.scopes.compactMap(ServiceScope.init))
            return ServiceToken(for: $0.name, scopes: scopes, claims: $0.claims)
        }
        let text = "\u{FEFF}# people\n\n" + tokens.map(\.line).joined(separator: "\r\n") + "\n"
        let table = try table(text)
        #expect(tokens.map { table.principal(of: $0.text) } == [ada, bob, ada])
        #expect(tokens[0].line.hasPrefix("ada read,act sha256:"))
        #expect(!text.contains(tokens[0].text))
        #expect(table.principal(of: "") == nil)
        #expect(table.principal(of: tokens[0].text + "a") == nil)
        #expect(table.principal(of: String(tokens[0].text.dropLast())) == nil)
        // The hash is not a valid token.
        let hash = tokens[0].line.split(separator: ":")[1].prefix(64)
        #expect(table.principal(of: String(hash)) == nil)
    }

    @Test(
        arguments: [
            ("ada", "it has a name, scopes and a hash"),
            ("ada read sha256:12", "the hash is sha256: and 64 hexadecimal digits"),
            (
                "ada read md5:" + String(repeating: "0", count: 64),
                "the hash is sha256: and 64 hexadecimal digits"
            ),
            (
                "ada read,fly sha256:" + String(repeating: "0", count: 64),
                "there is no scope 'fly'; there are read, act, create, travel, delete, inspect, evaluate"
            ),
            (
                "ada read sha256:" + String(repeating: "0", count: 64) + " [1]",
                "what follows the hash is a JSON object"
            ),
            (
                "a\u{7}a read sha256:" + String(repeating: "0", count: 64),
                "a name has 1 to 200 bytes, no blanks and no invisible characters, and does not begin with #"
            ),
            (
                "a\u{200B}a read sha256:" + String(repeating: "0", count: 64),
                "a name has 1 to 200 bytes, no blanks and no invisible characters, and does not begin with #"
            ),
            (
                "ada read sha256:" + String(repeating: "0", count: 64) + "\n"
                    + "bob act sha256:" + String(repeating: "0", count: 64),
                "line 2 has the same hash"
            ),
        ])
    func aLineThatCannotBeReadIsToldWithItsNumberAndItsFault(line: String, reason: String) throws {
        let error = try #require(throws: FlowError.self) { try table("# people\n" + line) }
        #expect(error.message == "the line is none of a token: \(reason)")
        let last = line.contains("\n") ? 3 : 2
        #expect(error.location == .init(file: "tokens.txt", line: last))
        #expect(error.help == "make lines with ServiceToken.line")
    }
}
