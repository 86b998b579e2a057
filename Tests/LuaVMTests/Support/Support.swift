import LuaVM
import PlainValue
import TestSupport
import Testing

extension LuaVM {
    /// A VM with the usual limits, but none of time that a busy machine could reach.
    convenience init() throws(LuaError) { try self.init(.unhurried) }

    /// Runs a chunk named `t.lua` and returns its result.
    @discardableResult
    func run(_ source: String) throws(LuaError) -> Value { try run(source, chunkName: "t.lua") }

    func failure(
        of source: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> LuaError {
        try #require(throws: LuaError.self, sourceLocation: sourceLocation) { try run(source) }
    }

    func define(
        _ name: String, _ body: @escaping (borrowing LuaCall) throws(LuaError) -> LuaArgument?
    ) throws { try setGlobal(name, to: .reference(makeFunction(name, body))) }
}
