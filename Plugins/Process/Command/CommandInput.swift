/// What a flow says about the program to run.
struct CommandInput: Codable, Sendable {
    /// A name that is looked for in the host's search path, or a path.
    var program: String
    var arguments: [String]?
    /// What the program reads from its standard input; nothing if left out.
    var input: String?
    /// Where the program runs; in the flow's folder if left out.
    var folder: String?
    /// Variables that the program gets beside those of the host.
    var environment: [String: String]?
    /// The most seconds that the program may take.
    var timeout: Double?
    /// The most bytes of output in one output of the worker.
    var maxBytes: Int?

    enum CodingKeys: String, CodingKey {
        case program, arguments, input, folder, environment, timeout
        case maxBytes = "max_bytes"
    }
}
