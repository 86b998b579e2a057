import CFuzzing
import Foundation
public import LuaVM
import PlainValue

/// Calls of Lua's functions that the sandbox and stock Lua make alike: see `Programs/calls.lua`.
public struct CallSequence: Sendable {
    private let bytes: [UInt8]

    /// The calls that these bytes decide.
    public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// The program that makes the calls and tells what came of each.
    private static let program: String = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "../../Programs/calls.lua").standardized
        return (try? String(contentsOf: file, encoding: .utf8)) ?? "error('\(file.path)')"
    }()

    /// The results of the calls in stock Lua, one line each; `nil` if it did not come to an end.
    public func toldByStockLua() -> String? {
        var result = [CChar](repeating: 0, count: Int(STOCK_LUA_RESULT))
        var length = 0
        let program = Self.program
        let ended = bytes.withUnsafeBytes { bytes in
            stock_lua_run(
                program, program.utf8.count, bytes.baseAddress, bytes.count, "", 0, &result,
                &length)
        }
        guard ended else { return nil }
        return String(decoding: result.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The results in the sandbox of the calls that stock Lua did not skip.
    public func toldBySandbox(beside told: String) throws(LuaError) -> String {
        var options = LuaVM.Options()
        options.timeLimit = nil
        options.instructionLimit = 20_000_000
        let vm = try LuaVM(options)
        let make = try vm.load("return string.char(table.unpack((...)))", chunkName: "bytes")
        let numbers = Value.list(Value.List(bytes.map { .int(Int($0)) }))
        let string = try vm.call(make, .value(numbers), returning: .reference).reference
        let argument = string.map { LuaArgument.reference($0) } ?? .value("")
        let function = try vm.load(Self.program, chunkName: "stock")
        let result = try vm.call(function, argument, .value(.string(told)), returning: .value)
        return result.value?.string ?? ""
    }

    /// The first line in which the two differ; `nil` if none, or at a limit (stock Lua has none).
    public func difference() throws(LuaError) -> String? {
        guard let stock = toldByStockLua() else { return nil }
        let sandbox: String
        do {
            sandbox = try toldBySandbox(beside: stock)
        } catch  where error.code.isLimit {
            return nil
        }
        guard stock != sandbox else { return nil }
        let lines = zip(stock.split(separator: "\n"), sandbox.split(separator: "\n"))
        guard let (number, (theirs, ours)) = lines.enumerated().first(where: { $1.0 != $1.1 })
        else { return "one of the two tells more" }
        return "call \(number + 1)\nstock:   \(theirs)\nsandbox: \(ours)"
    }
}
