public import PlainValue

extension WorkerError {
    /// The error as a flow receives it: `{ code, message, help }`, or without `help`.
    public var value: Value {
        var fields: Value.Record = ["code": .string(code), "message": .string(message)]
        if let help { fields["help"] = .string(help) }
        return .record(fields)
    }
}
