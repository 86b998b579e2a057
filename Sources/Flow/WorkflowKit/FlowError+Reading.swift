public import PlainValue
public import WorkflowLua

extension FlowError {
    /// Reads an error from a value, such as an event's; `nil` if the value is not an error.
    ///
    /// An unknown code, as of a later version, is read as `host`.
    ///
    /// ```swift
    /// let error = FlowError(record: ["code": "too_new", "message": "no"])
    /// let code = error?.code  // host
    /// ```
    public init?(record: Value) {
        guard let code = record["code"]?.string, let message = record["message"]?.string else {
            return nil
        }
        self.init(Code(rawValue: code) ?? .host, message, help: record["help"]?.string)
        location = record["location"].flatMap(Location.init)
        phase = record["phase"]?.string.map(FlowPhase.init(description:))
        node = record.path("node")
        frames = (record["trace"]?.list ?? []).compactMap { frame in
            Location(frame).map { Frame(location: $0, function: frame["function"]?.string) }
        }
        locals = (record["locals"]?.list ?? []).compactMap { local in
            guard let name = local["name"]?.string, let value = local["value"]?.string else {
                return nil
            }
            return Local(name: name, value: value)
        }
        notes = record["notes"]?.list?.compactMap(\.string) ?? []
        if let line = record["excerpt"]?["line"]?.natural,
            let lines = record["excerpt"]?["lines"]?.list
        {
            excerpt = Excerpt(firstLine: line, lines: lines.compactMap(\.string))
        }
    }
}

extension FlowError.Location {
    init?(_ record: Value) {
        guard let file = record["file"]?.string else { return nil }
        self.init(file: file, line: record["line"]?.natural ?? 0, path: record["path"]?.string)
    }
}
