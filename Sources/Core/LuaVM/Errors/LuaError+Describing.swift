import PlainValue

extension LuaError {
    /// Converts `error`. Unless it is a `LuaError`, its description gets the code ``Code/host``,
    /// and it becomes ``underlying``.
    ///
    /// ```swift
    /// do { try Task.checkCancellation() } catch { throw LuaError(describing: error) }
    /// ```
    public init(describing error: any Error) {
        self = error as? LuaError ?? LuaError(.host, codingReason(error), underlying: error)
    }

    init(_ code: Code, _ message: String, underlying error: any Error) {
        self.init(code, message)
        underlying = error
    }
}
