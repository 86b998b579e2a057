import WorkerKit

struct Limits: Sendable {
    /// Seconds until the response is complete or, for a stream, starts.
    let timeout: Double
    /// Seconds without a byte of a stream; nil for no limit.
    let idle: Double?
    /// The maximum size of a body, a line or an event in bytes.
    let bytes: Int

    /// The seconds that a request may take or wait.
    static let seconds = 0.001...86400

    /// - Throws: A ``WorkerError`` with the code `bad_input` for a value out of range.
    init(timeout: Double?, idle: Double? = nil, bytes: Int?) throws(WorkerError) {
        self.timeout = timeout ?? 30
        self.idle = idle
        self.bytes = bytes ?? 1024 * 1024
        try Self.seconds.check("timeout", self.timeout, unit: " seconds")
        if let idle { try Self.seconds.check("idle_timeout", idle, unit: " seconds") }
        try (1...(7 * 1024 * 1024)).check("max_bytes", self.bytes)
    }
}

extension WorkerError {
    static func tooLarge(_ what: String, _ maximum: Int) -> WorkerError {
        WorkerError(
            "too_large", "\(what) has more than \(maximum) bytes", help: "raise max_bytes")
    }
}
