import PlainValue

/// A checksum (FNV-1a) of sixteen digits, which tells a changed text, but not a forged one.
package enum TextSum {
    package static func digits(of bytes: some Sequence<UInt8>) -> String {
        StableHash(bytes).digits
    }

    /// The sum of a source text's words.
    package static func digits(ofCode source: [UInt8]) -> String {
        var hash = StableHash()
        for word in SourceWords(source) {
            hash.add(word)
            hash.add(CollectionOfOne(0xFF))
        }
        return hash.digits
    }
}
