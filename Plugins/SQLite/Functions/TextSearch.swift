/// Finds a part in texts in linear time, by the algorithm of Knuth, Morris and Pratt.
struct TextSearch {
    private let part: UnsafeBufferPointer<UInt8>
    /// For each number of bytes that fit, the number that still fits if the next byte does not.
    private var shorter: [Int32] = [0]

    /// - Parameter part: At least one byte, valid as long as it is searched for.
    init(for part: UnsafeBufferPointer<UInt8>) {
        self.part = part
        shorter.reserveCapacity(part.count + 1)
        shorter.append(0)
        var fitting = 0
        for byte in part.dropFirst() {
            fitting = extended(fitting, by: byte)
            shorter.append(Int32(fitting))
        }
    }

    func firstPlace(in text: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        var fitting = 0
        for place in start..<text.count {
            fitting = extended(fitting, by: text[place])
            if fitting == part.count { return place + 1 - fitting }
        }
        return nil
    }

    private func extended(_ fitting: Int, by byte: UInt8) -> Int {
        var fitting = fitting
        while fitting > 0, part[fitting] != byte { fitting = Int(shorter[fitting]) }
        return part[fitting] == byte ? fitting + 1 : 0
    }
}
