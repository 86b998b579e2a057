import WorkflowLua

/// The approximate number of bytes of states and renderings that the flows of a test keep.
struct KeptBytes {
    private static let limit = 512 << 20

    private var count = 0

    mutating func add(_ bytes: Int) { count += bytes }

    /// - Throws: A `FlowError` if the limit is reached.
    func checkRoom() throws(FlowError) {
        guard count > Self.limit else { return }
        throw FlowError(
            .misuse,
            "the flows of the test keep more than \(Self.limit >> 20) MB of states and renderings",
            help: "do less in one test, or with smaller states")
    }
}
