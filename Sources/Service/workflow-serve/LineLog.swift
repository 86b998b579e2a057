import Logging
import PlainValue
import Terminal
import WorkflowKit

/// Writes a line for each message to standard error.
struct LineLog: LogHandler {
    let form: LogForm
    var output = OutputStream.standardError
    var now: @Sendable () -> Int = FlowOptions.wallClock
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.notice

    init(form: LogForm) { self.form = form }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let fields = all.sorted { $0.key < $1.key }.map { ($0.key, $0.value.description) }
        output.write(line(event.level, event.message.description, fields))
    }

    private func line(
        _ level: Logger.Level, _ message: String, _ fields: [(String, String)]
    ) -> String {
        switch form {
        case .json:
            var record: Value.Record = [
                "time": .int(now()), "level": .string(level.rawValue), "message": .string(message),
            ]
            for (name, text) in fields { record[name] = .string(text) }
            return Value.record(record).json + "\n"
        case .text:
            let words = fields.map { name, text in
                " \(name)=\(text.contains(" ") || text.isEmpty ? Value.string(text).json : text)"
            }
            return printable("\(level.rawValue): \(message)\(words.joined())") + "\n"
        }
    }
}
