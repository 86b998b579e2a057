import Foundation
import GRDB
import PlainValue
import PluginStage
import TestSupport
import Testing
import WorkerKit

@testable import SQLitePlugin

@Suite struct FunctionTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

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

    @Test(arguments: calls) func theyGiveWhatThoseOfSQLiteGive(call: String) throws {
        var numbers = SeededNumbers.printed()
        let (own, stock) = try connections()
        let isPattern = call.contains("LIKE") || call.contains("GLOB")
        let sql = "SELECT \(call) AS value, typeof(\(call)) AS type, ?3"
        own.inDatabase { own in
            stock.inDatabase { stock in
                for _ in 0..<3000 {
                    var arguments = (1...3).map { _ in argument(&numbers, isPattern: isPattern) }
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

    @Test func aPatternIsComparedUntilTheRunIsStopped() throws {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: 100_000)
        let pattern = Array("%a%b".utf8)
        let stop = Stop()
        let connection = try DatabaseQueue()
        connection.inDatabase { database in
            _ = #expect(throws: CancellationError.self) {
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
    fileprivate func queryOne(_ sql: String) async throws -> Value? {
        try await execute("CREATE TABLE IF NOT EXISTS here (a)")
        return try await query(sql)["rows"]?[0]
    }
}
