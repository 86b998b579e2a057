public import PlainValue

extension FlowStep {
    /// The results of the input as one plain value, without the input; see ``FlowInput/document``.
    public var document: Value {
        var record: Value.Record = [:]
        if let action { record["action"] = .string(action) }
        if !changed.isEmpty { record["changed"] = .list(of: changed.map { .string($0) }) }
        if !outputs.isEmpty { record["outputs"] = .list(of: outputs) }
        return .record(record)
    }

    /// Makes a step from an input and the document of its results.
    public init(_ input: FlowInput, document: Value) {
        self.init(
            input, action: document["action"]?.string,
            changed: document["changed"]?.list?.compactMap(\.string) ?? [],
            outputs: document["outputs"]?.list.map(Array.init) ?? [])
    }
}
