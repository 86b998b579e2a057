extension Int {
    /// The range of whole numbers accepted from files and from other programs: 0 to 2⁵³. A few of
    /// them can be added without overflow, and every reader of JSON keeps them exactly.
    package static let naturals = 0...1 << 53

    /// Parses a number written in digits alone; `nil` for any other text, and beyond 2⁵³.
    package init?(natural digits: some StringProtocol) {
        guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(digits),
            Self.naturals.contains(number)
        else { return nil }
        self = number
    }
}

extension Value {
    /// The whole number from 0 to 2⁵³; `nil` for any other value. Use this to read a step, a
    /// sequence number or a count from outside. A float without a fraction is the same number, as
    /// in JSON.
    package var natural: Int? {
        guard let number = int ?? double.flatMap(Int.init(exactly:)),
            Int.naturals.contains(number)
        else { return nil }
        return number
    }
}
