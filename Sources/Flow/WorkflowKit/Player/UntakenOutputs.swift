import PlainValue

/// The outputs of a session that nobody has asked for yet: all of the input that is being dealt with, and of those
/// before as many as there is room for.
struct UntakenOutputs {
    /// How many bytes are kept at most when an input begins.
    static let memoryLimit = Timeline.memoryLimit

    private var outputs: [(value: Value, byteCount: Int)] = []
    private var bytes = 0

    mutating func add(_ output: Value) {
        let byteCount = output.byteCount + MemoryLayout<Value>.stride
        outputs.append((output, byteCount))
        bytes += byteCount
    }

    /// Gives up the oldest if there are too many, at least the half, so that it is seldom done.
    mutating func makeRoom() {
        guard bytes > Self.memoryLimit else { return }
        var first = 0
        while bytes > Self.memoryLimit / 2, first < outputs.count - 1 {
            bytes -= outputs[first].byteCount
            first += 1
        }
        outputs.removeFirst(first)
    }

    /// Gives them out, oldest first.
    mutating func removeAll() -> [Value] {
        defer { self = UntakenOutputs() }
        return outputs.map(\.value)
    }
}
