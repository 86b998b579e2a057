import PlainValue

/// The inputs of a session: the latest as values, the earlier ones as bytes.
///
/// A session can have millions of inputs, most of them alike: the ticks of a clock, the same
/// actions. A block of earlier inputs holds each distinct input once, as JSON, and for each step
/// its number and the time since the step before, in a few bytes.
struct InputLog: RandomAccessCollection {
    static let blockCount = 512
    /// The maximum number of latest inputs that are kept as values.
    private static let mostRecent = 8 * blockCount

    private var blocks: [InputBlock] = []
    private var recent: [FlowInput] = []
    /// The kind of each input, so that inputs can be counted by kind without reading them.
    private(set) var kinds: [FlowInput.Kind.Name] = []
    /// The number of inputs that are kept as values before the next block is made.
    private var limit = mostRecent
    private let cache = Cache()

    /// Not synchronized: only the session's isolation reads its inputs.
    private final class Cache {
        var block: (index: Int, inputs: [FlowInput])?
    }

    init() {}

    init(_ inputs: some Sequence<FlowInput>) {
        for input in inputs { append(input) }
    }

    var byteCountOfBlocks: Int { blocks.reduce(0) { $0 + $1.byteCount } }

    var startIndex: Int { 0 }
    var endIndex: Int { blocks.count * Self.blockCount + recent.count }

    subscript(position: Int) -> FlowInput {
        let (block, index) = position.quotientAndRemainder(dividingBy: Self.blockCount)
        guard block < blocks.count else { return recent[position - blocks.count * Self.blockCount] }
        return inputs(ofBlock: block)[index]
    }

    mutating func append(_ input: FlowInput) {
        recent.append(input)
        kinds.append(input.kind.name)
        assert(kinds.count == count)
        guard recent.count > limit else { return }
        guard let block = InputBlock(recent[..<Self.blockCount]) else {
            // Inputs that cannot be written stay values; the next block is tried later.
            limit += Self.blockCount
            return
        }
        blocks.append(block)
        recent.removeFirst(Self.blockCount)
    }

    mutating func removeLast(_ count: Int) {
        var rest = count
        while rest > recent.count {
            rest -= recent.count
            recent = inputs(ofBlock: blocks.count - 1)
            blocks.removeLast()
        }
        recent.removeLast(rest)
        kinds.removeLast(count)
        assert(kinds.count == self.count)
        // A later block may get the same index.
        cache.block = nil
    }

    private func inputs(ofBlock index: Int) -> [FlowInput] {
        if let known = cache.block, known.index == index { return known.inputs }
        let inputs = blocks[index].inputs
        assert(inputs.count == Self.blockCount)
        cache.block = (index, inputs)
        return inputs
    }
}

private struct InputBlock {
    /// The distinct inputs without their times, as a JSON list.
    private let documents: [UInt8]
    /// The number of each input's document, and the milliseconds since the input before it.
    private let entries: [UInt8]

    /// Makes a block; `nil` if the inputs would not be read as they were written.
    init?(_ inputs: ArraySlice<FlowInput>) {
        var numbers: [FlowInput: Int] = [:]
        var distinct: [FlowInput] = []
        var entries: [UInt8] = []
        var (number, last, time) = (0, 0, 0)
        for var input in inputs {
            (last, time) = (time, input.milliseconds)
            input.milliseconds = 0
            // Most inputs are equal to the one before, so that one is compared first.
            if distinct.isEmpty || input != distinct[number] {
                number = numbers[input] ?? distinct.count
                if number == distinct.count {
                    numbers[input] = number
                    distinct.append(input)
                }
            }
            entries.append(number: UInt(number))
            // Zigzag encoding, since the time may go back.
            entries.append(number: UInt(bitPattern: (time &- last) << 1 ^ (time &- last) >> 63))
        }
        documents = Array(Value.list(of: distinct.map(\.document)).json.utf8)
        self.entries = entries
        guard self.distinct == distinct else { return nil }
    }

    var byteCount: Int { documents.count + entries.count }

    private var distinct: [FlowInput]? {
        let text = String(decoding: documents, as: UTF8.self)
        return try? Value(json: text, limits: .document).list?.map { try FlowInput(document: $0) }
    }

    var inputs: [FlowInput] {
        guard let distinct else { return [] }
        var inputs: [FlowInput] = []
        var (rest, last) = (entries[...], 0)
        while !rest.isEmpty {
            var input = distinct[Int(rest.removeNumber())]
            let difference = rest.removeNumber()
            last = last &+ (Int(difference >> 1) ^ -Int(difference & 1))
            input.milliseconds = last
            inputs.append(input)
        }
        return inputs
    }
}

extension [UInt8] {
    /// Appends a number in seven bits a byte, the lowest first.
    fileprivate mutating func append(number: UInt) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func removeNumber() -> UInt {
        var number: UInt = 0
        var shift: UInt = 0
        while let byte = popFirst() {
            number |= UInt(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { break }
        }
        return number
    }
}
