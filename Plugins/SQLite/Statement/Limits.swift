import WorkerKit

struct Limits: Sendable {
    private(set) var rows: Int
    /// The maximum number of bytes of names, texts, blobs and numbers in the rows.
    private(set) var bytes: Int
    /// The maximum time in seconds.
    let timeout: Double

    /// The maximum number of bytes of a text, a blob or a row.
    static let longest = 1024 * 1024

    private let maximumRows: Int
    private let maximumBytes: Int

    /// - Throws: A ``WorkerError`` with the code `bad_input` for a value out of range.
    init(rows: Int?, bytes: Int?, timeout: Double?) throws(WorkerError) {
        maximumRows = rows ?? 1000
        maximumBytes = bytes ?? 1024 * 1024
        self.timeout = timeout ?? 30
        self.rows = maximumRows
        self.bytes = maximumBytes
        try (1...100_000).check("max_rows", maximumRows)
        try (1...(7 * 1024 * 1024)).check("max_bytes", maximumBytes)
        try (0.001...86400).check("timeout", self.timeout, unit: " seconds")
    }

    /// - Throws: A ``WorkerError`` with the code `too_large` if none is left.
    mutating func takeRow() throws(WorkerError) {
        rows -= 1
        guard rows >= 0 else {
            throw WorkerError(
                "too_large", "there are more than \(maximumRows) rows",
                help: "add a LIMIT to the SQL, or raise max_rows")
        }
    }

    /// - Throws: A ``WorkerError`` with the code `too_large` if there are fewer left.
    mutating func takeBytes(_ count: Int) throws(WorkerError) {
        bytes -= count
        guard bytes >= 0 else {
            throw WorkerError(
                "too_large", "the rows have more than \(maximumBytes) bytes",
                help: "select less, or raise max_bytes")
        }
    }
}
