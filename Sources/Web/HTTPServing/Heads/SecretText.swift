/// Random secrets.
package enum SecretText {
    /// 128 random bits as text for URLs.
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

    /// Compares two secrets in a time that does not depend on their common part.
    package static func isEqual(_ one: some Sequence<UInt8>, _ other: some Sequence<UInt8>) -> Bool
    {
        let (one, other) = (Array(one), Array(other))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
