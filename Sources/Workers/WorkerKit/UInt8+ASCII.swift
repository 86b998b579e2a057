extension UInt8 {
    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    package var isAlphanumeric: Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return isDigit || letters.contains(self | 0x20)
    }
}
