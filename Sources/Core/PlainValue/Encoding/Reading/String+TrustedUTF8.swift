extension String {
    /// Makes a string of UTF-8 known to be valid, without another check where Swift allows that.
    @inline(__always)
    init(trustedUTF8 text: UnsafeRawBufferPointer) {
        assert(UTF8Check.firstFault(in: text) == nil)
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            let bytes = text.assumingMemoryBound(to: UInt8.self).span
            self.init(copying: UTF8Span(unchecked: bytes))
        } else {
            self.init(decoding: text, as: UTF8.self)
        }
    }
}
