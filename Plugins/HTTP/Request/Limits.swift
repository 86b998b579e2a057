import WorkerKit

/// The limits of a request: time and size.
struct Limits: Sendable {
    /// Seconds until the response is complete or, for a stream, starts.
    let timeout: Double
    /// Seconds without a byte of a stream; nil for no limit.
    let idle: Double?
    /// The maximum size of a body, a line or an event in bytes.
    let bytes: Int

    private static let mostBytes = 7 * 1024 * 1024
    private static let seconds = 0.001...86400

    /// - Throws: A ``WorkerError`` with the code `bad_input` for a value out of range.
    init(timeout: Double?, idle: Double? = nil, bytes: Int?) throws(WorkerError) {
        self.timeout = try Self.checked(timeout ?? 30, "timeout")
        self.idle = if let idle { try Self.checked(idle, "idle_timeout") } else { nil }
        self.bytes = bytes ?? 1024 * 1024
        guard (1...Self.mostBytes).contains(self.bytes) else {
            throw WorkerError(
                "bad_input", "max_bytes is \(self.bytes)",
                help: "it can be from 1 to \(Self.mostBytes)")
        }
    }

    private static func checked(_ time: Double, _ name: String) throws(WorkerError) -> Double {
        guard seconds.contains(time) else {
            throw WorkerError(
                "bad_input", "\(name) is \(time)", help: "it can be from 0.001 to 86400 seconds")
        }
        return time
    }
}

extension WorkerError {
    /// More bytes arrived than allowed.
    static func tooLarge(_ what: String, _ maximum: Int) -> WorkerError {
        WorkerError(
            "too_large", "\(what) has more than \(maximum) bytes", help: "raise max_bytes")
    }
}
