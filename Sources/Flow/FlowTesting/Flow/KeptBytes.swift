import WorkflowLua

/// The approximate number of bytes of states and renderings that the flows of a test keep.
struct KeptBytes {
    private static let limit = 512 << 20

    private var count = 0

    mutating func add(_ bytes: Int) { count += bytes }

    func checkRoom() throws(FlowError) {
        guard count > Self.limit else { return }
        throw FlowError(.tooManyBytes, Self.limit >> 20)
    }
}
