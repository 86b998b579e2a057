/// A pattern of LIKE or GLOB, which is compared step by step and can be stopped.
struct TextPattern {
    enum Kind {
        /// `%` and `_`, without regard to the case of ASCII letters.
        case like
        /// `*`, `?` and `[…]`.
        case glob
    }

    private let pattern: UnsafeBufferPointer<UInt8>
    private let kind: Kind
    private let escape: UnsafeBufferPointer<UInt8>?
    /// The characters for any text and for one character; nil if the escape character is the same.
    private let any: UInt8?
    private let one: UInt8?

    init(_ pattern: UnsafeBufferPointer<UInt8>, _ kind: Kind, escape: UnsafeBufferPointer<UInt8>?) {
        self.pattern = pattern
        self.kind = kind
        self.escape = escape
        let (any, one) = kind == .like ? (UInt8(ascii: "%"), UInt8(ascii: "_")) : (0x2A, 0x3F)
        let sign = escape?.count == 1 ? escape?[0] : nil
        self.any = sign == any ? nil : any
        self.one = sign == one ? nil : one
    }

    /// True if the whole text fits. Throws `CancellationError` if the run is stopped.
    func matches(_ text: UnsafeBufferPointer<UInt8>) throws -> Bool {
        var (place, position) = (0, 0)
        // Where to continue if the rest does not fit: at the last `any`, one character later.
        var retry: (place: Int, position: Int)?
        var steps = 0
        while true {
            steps += 1
            if steps > 16384 {
                if StatementGuard.isStopped { throw CancellationError() }
                steps = 0
            }
            if place < pattern.count, pattern[place] == any {
                place += 1
                if place == pattern.count { return true }
                retry = (place, position)
            } else if place == pattern.count, position == text.count {
                return true
            } else if position < text.count, place < pattern.count,
                let next = step(at: place, in: text, position, &steps)
            {
                (place, position) = next
            } else if let last = retry, last.position < text.count {
                retry = (last.place, text.character(after: last.position))
                (place, position) = retry ?? last
            } else {
                return false
            }
        }
    }

    /// Compares an element of the pattern with the text. Gives the places behind both, or nil.
    private func step(
        at place: Int, in text: UnsafeBufferPointer<UInt8>, _ position: Int, _ steps: inout Int
    ) -> (place: Int, position: Int)? {
        var place = place
        if let escape, pattern[place...].starts(with: escape) {
            place += escape.count
            guard place < pattern.count else { return nil }
        } else if pattern[place] == one {
            return (place + 1, text.character(after: position))
        } else if kind == .glob, pattern[place] == UInt8(ascii: "[") {
            let (scalar, next) = text.scalar(at: position)
            guard let end = setEnd(at: place + 1, fits: scalar, &steps) else { return nil }
            return (end, next)
        }
        let (one, other) = (pattern[place], text[position])
        guard one == other || kind == .like && one.lowercased == other.lowercased else {
            return nil
        }
        return (place + 1, position + 1)
    }

    /// The place behind a set `[…]`; nil if a character is not in it, or if it does not end.
    private func setEnd(at start: Int, fits scalar: UInt32, _ steps: inout Int) -> Int? {
        var place = start
        var isNegated = false
        var isIn = false
        /// The beginning of a range, if the next character is `-`.
        var low: UInt32?
        func sign(_ index: Int) -> UInt8? { index < pattern.count ? pattern[index] : nil }
        if sign(place) == UInt8(ascii: "^") {
            isNegated = true
            place += 1
        }
        if sign(place) == UInt8(ascii: "]") {
            isIn = scalar == 0x5D
            place += 1
        }
        while let byte = sign(place), byte != UInt8(ascii: "]") {
            steps += 1
            let (member, next) = pattern.scalar(at: place)
            if byte == UInt8(ascii: "-"), let first = low, let following = sign(next),
                following != UInt8(ascii: "]")
            {
                let (last, end) = pattern.scalar(at: next)
                if first <= scalar, scalar <= last { isIn = true }
                low = nil
                place = end
            } else {
                if member == scalar { isIn = true }
                low = member
                place = next
            }
        }
        guard place < pattern.count, isIn != isNegated else { return nil }
        return place + 1
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The place behind the character at a place.
    fileprivate func character(after place: Int) -> Int {
        var next = place + 1
        if self[place] >= 0xC0 { while next < count, self[next].continuesCharacter { next += 1 } }
        return next
    }

    /// The number of the character at a place, and the place behind it.
    fileprivate func scalar(at place: Int) -> (scalar: UInt32, next: Int) {
        let next = character(after: place)
        let first = UInt32(self[place])
        guard next - place > 1 else { return (first, next) }
        let lead = first & (0x7F >> UInt32(Swift.min(next - place, 6)))
        return (self[(place + 1)..<next].reduce(lead) { $0 << 6 | UInt32($1 & 0x3F) }, next)
    }
}
