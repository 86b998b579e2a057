import CLuaCore.Wire
@testable import PlainValue
import Testing

/// The encoding of values is implemented in Swift and in C. Both must agree.
@Suite struct WireTests {
    @Test(arguments: [
        (Tag.null, TAG_NULL), (Tag.false, TAG_FALSE), (Tag.true, TAG_TRUE),
        (Tag.int8, TAG_INT8), (Tag.int32, TAG_INT32), (Tag.int64, TAG_INT64),
        (Tag.double, TAG_DOUBLE), (Tag.shortString, TAG_SHORT_STRING),
        (Tag.longString, TAG_STRING), (Tag.list, TAG_LIST), (Tag.record, TAG_RECORD),
    ]) func tagsAreTheSame(swift: UInt8, c: Int) { #expect(Int(swift) == c) }

    @Test func containersAreReadAlike() throws {
        let value: Value = ["list": [1, 2.5, "three"], "other": true]
        let encoded = try value.encoded()
        defer { withExtendedLifetime(encoded) {} }
        let bytes = encoded.borrowedBytes
        let start = try #require(bytes.bindMemory(to: UInt8.self).baseAddress)
        #expect(is_container(start))
        #expect(container_size(start) == UInt32(bytes.count))
        #expect(container_count(start) == 2)
        let first = start + Int(get_u32(container_offsets(start, 2)))
        #expect(string_length(first) == 4)
        #expect(string_end(first)[0] == Tag.list)
    }
}
