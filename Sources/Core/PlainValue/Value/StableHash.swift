/// FNV-1a over 64 bits, the same in each process. It detects changes, not forgery.
/// <http://www.isthe.com/chongo/tech/comp/fnv/>
package struct StableHash: Sendable {
    package var value: UInt64 = 0xcbf2_9ce4_8422_2325

    @inlinable
    package init(_ bytes: some Sequence<UInt8> = EmptyCollection()) { add(bytes) }

    @inlinable
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    package var digits: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
