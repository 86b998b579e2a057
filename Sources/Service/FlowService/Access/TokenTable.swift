import HTTPServing
import PlainValue
import WorkflowKit
import WorkflowLua

/// The tokens of a file. A line has a name, scopes or `-`, the token's SHA-256 and maybe claims.
///
/// ```text
/// # name  scopes    hash               claims
/// ada     read,act  sha256:9f86d08188… {"team": "red"}
/// ```
struct TokenTable: Sendable {
    private struct Row {
        let hash: [UInt8]
        let principal: Principal
    }

    /// The rows by the first bytes of the hash, which reveal nothing about the token.
    private var rows: [[UInt8]: [Row]] = [:]

    /// A table of one token.
    init(_ token: String, for principal: Principal) {
        add(Row(hash: ServiceToken.hash(token), principal: principal))
    }

    /// - Throws: A `FlowError` with the location of an invalid line.
    init(_ bytes: [UInt8], file: String) throws(FlowError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FlowError(.noText, file)
        }
        // Some editors put a byte order mark before the text.
        let lines = text.drop { $0 == "\u{FEFF}" }
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var known: [[UInt8]: Int] = [:]
        for (number, line) in lines.enumerated() {
            do throws(Refusal) {
                guard let row = try Self.row(of: line) else { continue }
                if let other = known.updateValue(number + 1, forKey: row.hash) {
                    throw Refusal("line \(other) has the same hash")
                }
                add(row)
            } catch {
                var failure = FlowError(.badToken, error.reason)
                failure.location = .init(file: file, line: number + 1)
                throw failure
            }
        }
    }

    /// The principal of a token. The time does not depend on how much of the token is right.
    func principal(of token: String) -> Principal? {
        let hash = ServiceToken.hash(token)
        var found: Principal?
        for row in rows[Array(hash.prefix(8))] ?? [] where SecretText.isEqual(row.hash, hash) {
            found = row.principal
        }
        return found
    }

    private mutating func add(_ row: Row) {
        assert(row.hash.count == 32)
        rows[Array(row.hash.prefix(8)), default: []].append(row)
    }

    private static func row(of line: Substring) throws(Refusal) -> Row? {
        let words = line.split(maxSplits: 3) { $0 == " " || $0 == "\t" }
        guard let name = words.first, name.first != "#" else { return nil }
        guard words.count >= 3 else { throw Refusal("it has a name, scopes and a hash") }
        guard let name = PrincipalName(String(name)) else { throw Refusal(PrincipalName.rule) }
        let scopes: Set<ServiceScope>
        do throws(UnknownScope) {
            scopes = try Set(parsing: words[1])
        } catch {
            throw Refusal(error.description)
        }
        guard let hash = hash(words[2]) else {
            throw Refusal("the hash is sha256: and 64 hexadecimal digits")
        }
        var claims: Value.Record = [:]
        if words.count == 4, !words[3].allSatisfy(\.isWhitespace) {
            guard let record = (try? Value(json: String(words[3])))?.record else {
                throw Refusal("what follows the hash is a JSON object")
            }
            claims = record
        }
        return Row(
            hash: hash, principal: Principal(name.text, claims: claims, scopes: scopes))
    }

    private static func hash(_ word: Substring) -> [UInt8]? {
        guard word.hasPrefix("sha256:") else { return nil }
        let digits = Array(word.dropFirst(7).utf8)
        guard digits.count == 64 else { return nil }
        let nibbles = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard nibbles.count == 64 else { return nil }
        return stride(from: 0, to: 64, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }
    }
}

/// A valid name of a principal, short and safe for logs and lines.
struct PrincipalName {
    static let rule =
        "a name has 1 to 200 bytes, no blanks and no invisible characters, "
        + "and does not begin with #"

    let text: String

    init?(_ text: String) {
        guard (1...200).contains(text.utf8.count), !text.utf8.starts(with: "#".utf8),
            text.unicodeScalars.allSatisfy({
                !$0.properties.isWhitespace
                    && ![.control, .format].contains($0.properties.generalCategory)
            })
        else { return nil }
        self.text = text
    }
}
