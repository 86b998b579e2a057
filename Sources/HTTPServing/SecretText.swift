/// Texts that only those have who were given them.
package enum SecretText {
    /// 128 random bits as text that may stand in an address.
    package static func random() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var bits = UInt128.random(in: 0...UInt128.max)
        var text = ""
        for _ in 0..<22 {
            text.append(letters[Int(bits & 63)])
            bits >>= 6
        }
        return text
    }

    /// Whether two are the same, found in a time that does not depend on how much of them is.
    package static func isEqual(_ one: some Sequence<UInt8>, _ other: some Sequence<UInt8>) -> Bool
    {
        let (one, other) = (Array(one), Array(other))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
