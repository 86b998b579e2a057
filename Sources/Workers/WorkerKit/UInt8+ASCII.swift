extension UInt8 {
    /// True for a digit of ASCII.
    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// True for a letter or a digit of ASCII.
    package var isAlphanumeric: Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return isDigit || letters.contains(self | 0x20)
    }
}
