import PlainValue

/// The outputs that were not taken yet: all of the current input, and earlier ones as room allows.
struct UntakenOutputs {
    /// The maximum number of bytes that are kept when an input begins.
    static let memoryLimit = Timeline.memoryLimit

    private var outputs: [(value: Value, byteCount: Int)] = []
    private var bytes = 0

    mutating func add(_ output: Value) {
        let byteCount = output.byteCount + MemoryLayout<Value>.stride
        outputs.append((output, byteCount))
        bytes += byteCount
    }

    /// Drops the oldest half or more if there are too many, so that it happens seldom.
    mutating func makeRoom() {
        guard bytes > Self.memoryLimit else { return }
        var first = 0
        while bytes > Self.memoryLimit / 2, first < outputs.count - 1 {
            bytes -= outputs[first].byteCount
            first += 1
        }
        outputs.removeFirst(first)
    }

    /// Takes all outputs, oldest first.
    mutating func removeAll() -> [Value] {
        defer { self = UntakenOutputs() }
        return outputs.map(\.value)
    }
}
