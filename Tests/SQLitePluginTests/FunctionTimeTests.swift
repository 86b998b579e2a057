import Foundation
import GRDB
import PlainValue
import PluginStage
import TestSupport
import Testing
import WorkerKit

@testable import SQLitePlugin

@Suite struct FunctionTimeTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private static let texts: [String: String] = [
        "long": text("a"), "half": text("a", 520_000), "spaces": text(" "),
        "different": text("ab"), "quotes": text("'", 520_000), "dates": text("%J"),
        "weeks": text("%W"), "days": "+\(text("0", 1_000_000)) days", "list": "[\(text("1,"))1]",
    ]

    private static func text(_ part: String, _ count: Int = 1_048_000) -> String {
        String(repeating: part, count: count / part.utf8.count)
    }

    /// A call cannot be stopped, so it must not take long. The bound is ten times what it takes.
    @Test(arguments: [
        "instr(:long, :half || 'b')", "replace(:long, :half || 'b', '')",
        "replace(:half, 'a', 'aa')", "trim(:long, :different)", "rtrim(:different, :long)",
        "ltrim(:long, :different)", "upper(:long)", "hex(:half)", "quote(:quotes)",
        "soundex(:spaces)", "randomblob(1048000)", "format('%.1000000f', 1e300 / 3)",
        "format('%.1000000d', 1)", "strftime(:dates, 'now')", "strftime(:weeks, 'now')",
        "datetime('now'\(repeated(", :days")))", "char(:spaces\(repeated(", :spaces")))",
        "json_extract(:list\(repeated(", '$[#-1]'")))", "json(:list)",
        "json_array_length(:list)", "json_quote(:long)", "round(:spaces, 30)",
    ])
    func noCallTakesLong(call: String) throws {
        let file = DatabaseFile(path: folder.path + "/a.db", access: .write)
        let texts = Self.texts.filter { call.contains(":\($0.key)") }
        try OpenDatabases.use(file) { connection in
            try connection.write { database in
                let statement = try database.makeStatement(sql: "SELECT typeof(\(call))")
                try statement.setArguments(StatementArguments(texts))
                let time = threadTime { _ = try? Row.fetchOne(statement) }
                #expect(time < .seconds(2 * slowness))
            }
        }
    }

    private static func repeated(_ text: String) -> String { String(repeating: text, count: 60) }

    @Test func longValuesAreRefused() async throws {
        try await folder.execute("CREATE TABLE t (a)")
        let error = await failure { try await folder.query("SELECT length(hex(zeroblob(524289)))") }
        #expect(error == WorkerError("too_large", "string or blob too big"))
        let most = [UInt8](repeating: UInt8(ascii: "a"), count: 1_048_576)
        for (bytes, error) in [
            (most, nil),
            (
                most + [0x61],
                WorkerError(
                    "too_large", "the value at parameters[1] has more than 1048576 bytes",
                    help: "store it in a file, or in parts")
            ),
        ] {
            let text = Value.string(String(decoding: bytes, as: UTF8.self))
            let blob: Value = ["$blob": .string(Data(bytes).base64EncodedString())]
            for value in [text, blob] {
                #expect(
                    await failure { try await folder.query("SELECT length(?) AS n", [value]) }
                        == error)
            }
        }
    }
}
