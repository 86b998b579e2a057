/// Finds known texts in other texts, in time that depends only on the searched text.
///
/// A long text is divided into pieces, so that a part of it is found too.
struct KnownTexts {
    /// The bytes of the shortest text that is kept; shorter ones occur in others by chance.
    static let shortest = 4
    /// The maximum number of pieces, which limits the memory that a flow can make them take.
    private static let most = 100_000

    /// Up to sixteen bytes.
    private struct Piece: Hashable {
        var low: UInt64 = 0
        var high: UInt64 = 0
        var count: UInt8

        init(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, count: Int) {
            self.count = UInt8(count)
            for index in 0..<min(count, 8) { low = low << 8 | UInt64(bytes[start + index]) }
            for index in 8..<max(count, 8) { high = high << 8 | UInt64(bytes[start + index]) }
        }

        static let longest = 16
    }

    /// The numbers of the pieces, from 1.
    private var numbers: [Piece: Int] = [:]
    private var texts: [String] = []
    /// The first two and four bytes of all pieces, by which most places are passed over.
    private var pairs: [Bool] = []
    private var starts: Set<UInt32> = []
    /// The lengths of pieces, the longest first.
    private var lengths: [Int] = []

    var isEmpty: Bool { texts.isEmpty }

    mutating func add(_ text: String) {
        var rest = text.utf8[...]
        guard rest.count >= Self.shortest else { return }
        while !rest.isEmpty {
            var end = rest.endIndex
            if rest.count > Piece.longest {
                // No character is cut, and no rest is too short to be known.
                let isNearEnd = rest.count < Piece.longest + Self.shortest
                end = rest.index(
                    rest.startIndex, offsetBy: isNearEnd ? Piece.longest / 2 : Piece.longest)
                while rest[end] & 0xC0 == 0x80 { end = rest.index(before: end) }
            }
            add(piece: rest[..<end])
            rest = rest[end...]
        }
    }

    private mutating func add(piece: Substring.UTF8View) {
        guard texts.count < Self.most else { return }
        if pairs.isEmpty { pairs = Array(repeating: false, count: 1 << 16) }
        let bytes = Array(piece)
        let isNew = bytes.withUnsafeBufferPointer { bytes in
            let new = Piece(bytes, at: 0, count: bytes.count)
            guard numbers[new] == nil else { return false }
            numbers[new] = texts.count + 1
            pairs[Self.pair(bytes, 0)] = true
            starts.insert(Self.start(bytes, 0))
            return true
        }
        guard isNew else { return }
        texts.append(String(decoding: bytes, as: UTF8.self))
        if !lengths.contains(bytes.count) {
            lengths.append(bytes.count)
            lengths.sort(by: >)
        }
    }

    /// A text with a name in place of each piece in it; `nil` if there is none.
    ///
    /// - Parameter name: Returns the name of a piece by its number; `nil` to leave a piece out,
    ///   such as one that follows another piece at once.
    func replacing(in text: String, with name: (_ number: Int, _ follows: Bool) -> String?)
        -> String?
    {
        guard !isEmpty else { return nil }
        var text = text
        return text.withUTF8 { bytes in
            var result: [UInt8] = []
            var copied = 0
            var place = 0
            var lastEnd = -1
            while place + Self.shortest <= bytes.count {
                guard let (number, length) = piece(in: bytes, at: place) else {
                    place += 1
                    continue
                }
                result += bytes[copied..<place]
                if let name = name(number, lastEnd == place) { result += Array(name.utf8) }
                place += length
                (copied, lastEnd) = (place, place)
            }
            guard copied > 0 else { return nil }
            result += bytes[copied...]
            return String(decoding: result, as: UTF8.self)
        }
    }

    func text(_ number: Int) -> String? {
        texts.indices.contains(number - 1) ? texts[number - 1] : nil
    }

    private func piece(
        in bytes: UnsafeBufferPointer<UInt8>, at place: Int
    ) -> (number: Int, length: Int)? {
        guard pairs[Self.pair(bytes, place)], starts.contains(Self.start(bytes, place)) else {
            return nil
        }
        for length in lengths where place + length <= bytes.count {
            if let number = numbers[Piece(bytes, at: place, count: length)] {
                return (number, length)
            }
        }
        return nil
    }

    private static func pair(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
        Int(bytes[place]) << 8 | Int(bytes[place + 1])
    }

    private static func start(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[place + $1]) }
    }
}
