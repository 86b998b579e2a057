import Foundation
import GRDB
import PlainValue
import PluginStage
import TestSupport
import Testing
import WorkerKit

@testable import SQLite

/// The plugin's own versions of functions.
@Suite struct FunctionTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// A connection with the plugin's functions, and one with those of SQLite.
    private func connections() throws -> (own: DatabaseQueue, stock: DatabaseQueue) {
        var configuration = Configuration()
        configuration.prepareDatabase { try SafeFunctions.install(on: $0.sqliteConnection) }
        return (try DatabaseQueue(configuration: configuration), try DatabaseQueue())
    }

    private static let calls = [
        "instr(?1, ?2)", "replace(?1, ?2, ?3)", "trim(?1)", "ltrim(?1)", "rtrim(?1)",
        "trim(?1, ?2)", "ltrim(?1, ?2)", "rtrim(?1, ?2)", "?1 LIKE ?2", "?1 LIKE ?2 ESCAPE ?3",
        "?1 GLOB ?2",
    ]

    @Test(arguments: calls)
    func theyGiveWhatThoseOfSQLiteGive(call: String) throws {
        var numbers = SeededNumbers.ofTest()
        let (own, stock) = try connections()
        let isPattern = call.contains("LIKE") || call.contains("GLOB")
        let sql = "SELECT \(call) AS value, typeof(\(call)) AS type, ?3"
        try own.inDatabase { own in
            try stock.inDatabase { stock in
                for _ in 0..<3000 {
                    var arguments = (1...3).map { _ in
                        argument(&numbers, isPattern: isPattern)
                    }
                    if isPattern, Bool.random(using: &numbers) {
                        arguments[2] = ["\\", "%", "_", "a", "ö"].randomElement(using: &numbers)
                    }
                    let all = StatementArguments(arguments)
                    #expect(
                        result(of: sql, all, on: own) == result(of: sql, all, on: stock),
                        "\(call) with \(arguments)")
                }
            }
        }
    }

    private func argument(
        _ numbers: inout SeededNumbers, isPattern: Bool
    ) -> (any DatabaseValueConvertible)? {
        switch Int.random(in: 0..<12, using: &numbers) {
        case 0: return nil
        case 1: return Int.random(in: -2...12, using: &numbers)
        case 2: return 1.5
        // Builds of SQLite differ in whether blobs match patterns.
        case 3 where !isPattern: return Data(text(&numbers, from: ["a", "b", " "]).utf8)
        default:
            let signs = ["%", "_", "*", "?", "[", "]", "^", "-", "\\", "B"]
            return text(&numbers, from: ["a", "b", " ", "ö", "漢"] + (isPattern ? signs : []))
        }
    }

    private func text(_ numbers: inout SeededNumbers, from characters: [String]) -> String {
        let count = Int.random(in: 0...(Bool.random(using: &numbers) ? 3 : 12), using: &numbers)
        return (0..<count).map { _ in characters.randomElement(using: &numbers) ?? "" }.joined()
    }

    /// The row as a text, or the error's message.
    private func result(
        of sql: String, _ arguments: StatementArguments, on database: Database
    ) -> String {
        do {
            return "\(try Row.fetchOne(database, sql: sql, arguments: arguments) ?? [:])"
        } catch {
            return (error as? DatabaseError)?.message ?? "\(error)"
        }
    }

    @Test func bytesThatAreNoTextAreHandledToo() async throws {
        let row = try await folder.queryOne(
            """
            SELECT instr(x'80aa61', x'aa') AS a,
                instr(CAST(x'80aa61' AS TEXT), CAST(x'aa' AS TEXT)) AS b,
                instr(CAST(x'aa61' AS TEXT), CAST(x'aa' AS TEXT)) AS c,
                hex(trim(CAST(x'20808020' AS TEXT))) AS d,
                hex(replace(CAST(x'618061' AS TEXT), 'a', '')) AS e,
                CAST(x'80' AS TEXT) LIKE '_' AS f
            """)
        #expect(row == ["a": 2, "b": 0, "c": 1, "d": "8080", "e": "80", "f": 1])
    }

    // MARK: Time

    /// Calls that take the longest, of texts as long as possible.
    private static let longest = [
        "instr(\(text("a")), \(half("a")) || 'b')",
        "replace(\(text("a")), \(half("a")) || 'b', '')",
        "replace(\(half("a")), 'a', 'aa')", "trim(\(text("a")), \(text("b")))",
        "rtrim(\(text("a")), \(text("b")) || 'a')", "upper(\(text("a")))", "hex(\(half("a")))",
        "quote(\(half("''")))", "soundex(\(text(" ")))", "randomblob(1048000)",
        "format('%.1000000f', 1e300 / 3)", "format('%.1000000d', 1)",
        "strftime(\(text("%J")), 'now')", "strftime(\(text("%W")), 'now')",
        "datetime('now'\(repeated(", '+' || \(half("0")) || ' days'", 100)))",
        "char(\(text(" "))\(repeated(", \(text(" "))", 100)))",
        "json_extract(\(json)\(repeated(", '$[#-1]'", 100)))", "json(\(json))",
        "json_array_length(\(json))", "json_quote(\(text("a")))",
    ]

    private static func text(_ part: String) -> String {
        "replace(hex(zeroblob(\(1_040_000 / 2 / part.utf8.count))), '0', '\(part)')"
    }

    private static func half(_ part: String) -> String {
        "replace(hex(zeroblob(\(520_000 / 2 / part.utf8.count))), '0', '\(part)')"
    }

    private static let json = "'[' || \(text("1,")) || '1]'"

    private static func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    /// A call cannot be stopped, so it must not take long. The bound is ten times what they and the
    /// making of their texts take.
    @Test(arguments: longest)
    func noCallTakesLong(call: String) throws {
        let file = DatabaseFile(path: folder.path + "/a.db", access: .write)
        try OpenDatabases.use(file) { connection in
            try connection.write { database in
                let statement = try database.makeStatement(sql: "SELECT typeof(\(call))")
                let time = try threadTime { _ = try? Row.fetchOne(statement) }
                #expect(time < .seconds(2 * slowness), "\(call.prefix(60))")
            }
        }
    }

    @Test func longValuesAreRefused() async throws {
        let error = await failure {
            try await folder.query("SELECT length(hex(zeroblob(524289)))")
        }
        #expect(error == WorkerError("too_large", "string or blob too big"))
        let long = String(repeating: "a", count: 1_048_577)
        #expect(
            await failure { try await folder.query("SELECT length(?)", [.string(long)]) }?.code
                == "too_large")
    }

    @Test func aPatternIsComparedUntilTheRunIsStopped() throws {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: 100_000)
        let pattern = Array("%a%b".utf8)
        let stop = Stop()
        try DatabaseQueue().inDatabase { database in
            #expect(throws: CancellationError.self) {
                try StatementGuard.watching(stop, on: database) {
                    func matches() throws -> Bool {
                        try text.withUnsafeBufferPointer { text in
                            try pattern.withUnsafeBufferPointer {
                                try TextPattern($0, .like, escape: nil).matches(text)
                            }
                        }
                    }
                    #expect(try !matches())
                    stop.set(CancellationError())
                    _ = try matches()
                }
            }
        }
    }
}

extension Folder {
    /// The only row of a query.
    fileprivate func queryOne(_ sql: String) async throws -> Value? {
        try await execute("CREATE TABLE IF NOT EXISTS here (a)")
        return try await query(sql)["rows"]?[0]
    }
}
