extension JSONParser {
    /// Parses and writes the number that begins at the position with a digit or a minus sign.
    mutating func parseNumber() throws(JSONError) {
        let start = position
        let isNegative = skip("-")
        var decimal = Decimal()
        if !skip("0") { try parseDigits(into: &decimal) }
        var isFloat = false
        if skip(".") {
            isFloat = true
            let first = position
            try parseDigits(into: &decimal)
            decimal.exponent -= position - first
        }
        if peek() | 0x20 == UInt8(ascii: "e") {
            isFloat = true
            position += 1
            decimal.exponent += try parseExponent()
        }
        if isFloat {
            try writeFloat(decimal, isNegative: isNegative, start: start)
        } else {
            guard let int = decimal.int(isNegative: isNegative) else {
                throw fault(.integerTooLarge, at: start)
            }
            writer.write(int)
        }
    }

    private mutating func parseDigits(into decimal: inout Decimal) throws(JSONError) {
        let first = position
        while let digit {
            decimal.append(digit)
            position += 1
        }
        if position == first { throw expected("a digit") }
    }

    /// Parses an exponent. One beyond every float is replaced by another such, so that it fits.
    private mutating func parseExponent() throws(JSONError) -> Int {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        let first = position
        var exponent = 0
        while let digit {
            exponent = min(exponent * 10 + Int(digit), 1_000_000)
            position += 1
        }
        if position == first { throw expected("a digit") }
        return isNegative ? -exponent : exponent
    }

    @inline(__always)
    private var digit: UInt8? {
        let digit = peek() &- UInt8(ascii: "0")
        return digit < 10 ? digit : nil
    }

    private mutating func writeFloat(
        _ decimal: Decimal, isNegative: Bool, start: Int
    ) throws(JSONError) {
        var float = decimal.exactFloat
        if float == nil {
            let digits = UnsafeRawBufferPointer(rebasing: text[start..<position])
            float = Double(String(decoding: digits, as: UTF8.self))?.magnitude
        }
        guard let float, float.isFinite else { throw fault(.numberTooLarge, at: start) }
        do {
            try writer.write(isNegative ? -float : float)
        } catch {
            throw fault(.limit(error.code), at: start)
        }
    }
}

/// The digits of a number as an integer, as long as they fit, and a power of ten.
private struct Decimal {
    var digits: UInt64 = 0
    var exponent = 0
    var fits = true

    @inline(__always)
    mutating func append(_ digit: UInt8) {
        // Up to this number, another digit fits, whichever it is.
        if digits <= (UInt64.max - 9) / 10 {
            digits = digits * 10 + UInt64(digit)
        } else {
            fits = false
        }
    }

    func int(isNegative: Bool) -> Int? {
        guard fits else { return nil }
        if !isNegative { return Int(exactly: digits) }
        return digits == UInt64(Int.max) + 1 ? .min : Int(exactly: digits).map { -$0 }
    }

    /// The float of these digits, if one correctly rounded operation on exact floats gives it.
    var exactFloat: Double? {
        guard fits, digits <= 1 << 53 else { return nil }
        let float = Double(digits)
        if exponent == 0 { return float }
        guard Self.powers.indices.contains(abs(exponent)) else { return nil }
        let power = Self.powers[abs(exponent)]
        return exponent < 0 ? float / power : float * power
    }

    /// The powers of ten that a float holds exactly.
    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
