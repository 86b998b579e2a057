public import PlainValue

extension WorkerError {
    /// The error in the form that a flow receives: `{ code, message, help }`, without `help` if
    /// there is none.
    public var value: Value {
        var fields: Value.Record = ["code": .string(code), "message": .string(message)]
        if let help { fields["help"] = .string(help) }
        return .record(fields)
    }
}
