import WorkerKit

/// How long a request may take, and how much it may bring.
struct Limits: Sendable {
    /// Seconds until the answer is complete or, of a stream, begins.
    let timeout: Double
    /// Seconds without a byte of a stream; nil for any time.
    let idle: Double?
    /// The most bytes of a body, a line or an event.
    let bytes: Int

    private static let mostBytes = 7 * 1024 * 1024
    private static let seconds = 0.001...86400

    /// - Throws: A ``WorkerError`` with the code `bad_input` for what is out of range.
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
    /// More bytes arrived than are allowed.
    static func tooLarge(_ what: String, _ maximum: Int) -> WorkerError {
        WorkerError(
            "too_large", "\(what) has more than \(maximum) bytes", help: "raise max_bytes")
    }
}
