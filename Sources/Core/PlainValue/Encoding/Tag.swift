/// The first byte of every encoded value. Bytes rather than an enumeration, because each value that
/// is read switches on its tag.
enum Tag {
    static let null: UInt8 = 0x00
    static let `false`: UInt8 = 0x01
    static let `true`: UInt8 = 0x02
    static let int8: UInt8 = 0x03
    static let int32: UInt8 = 0x04
    static let int64: UInt8 = 0x05
    static let double: UInt8 = 0x06
    static let shortString: UInt8 = 0x07
    static let longString: UInt8 = 0x08
    static let list: UInt8 = 0x09
    static let record: UInt8 = 0x0A
}

enum Format {
    /// The length of a container's tag, size and count.
    static let containerHeader = 9
    static let offsetWidth = 4
    /// The maximum number of containers around a value, the value itself included.
    static let maximumDepth = 160
    static let maximumByteCount = Int(Int32.max)
    /// The minimum number of bytes of a value inside a container: its tag and its offset.
    static let minimumChildBytes = 5
    /// The minimum number of bytes that a container adds to a child: its header and an offset.
    static let minimumContainerBytes = 13
}
