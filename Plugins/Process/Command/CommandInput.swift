struct CommandInput: Codable, Sendable {
    /// A name to look up in the host's search path, or a path.
    var program: String
    var arguments: [String]?
    /// The text for the program's standard input; empty by default.
    var input: String?
    /// The folder to run in; the flow's folder by default.
    var folder: String?
    /// Variables in addition to the host's.
    var environment: [String: String]?
    /// The maximum running time in seconds.
    var timeout: Double?
    /// The maximum number of bytes of program output in one output of the worker.
    var maxBytes: Int?

    enum CodingKeys: String, CodingKey {
        case program, arguments, input, folder, environment, timeout
        case maxBytes = "max_bytes"
    }
}
