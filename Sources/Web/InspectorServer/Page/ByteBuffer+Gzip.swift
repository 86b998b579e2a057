import CZlib
import NIOCore

extension ByteBuffer {
    /// The readable bytes in the format of gzip; `nil` if there is no memory for it.
    func gzipped() -> ByteBuffer? {
        var stream = z_stream()
        // A window of 2^15 bytes; 16 more asks for the header and trailer of gzip.
        let window: Int32 = 15 + 16
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            deflateInit2_(
                &stream, Z_BEST_COMPRESSION, Z_DEFLATED, window, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY,
                ZLIB_VERSION, size) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        var input = readableBytesView.map { $0 }
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))))
        let isWhole = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
        }
        return isWhole ? ByteBuffer(bytes: output.prefix(Int(stream.total_out))) : nil
    }

    /// The readable bytes of a script, with an empty line for each line of a comment, so that lines
    /// keep their numbers. A comment beside code stays.
    func withoutComments() -> ByteBuffer {
        var result = ByteBuffer()
        result.reserveCapacity(readableBytes)
        var isInside = false
        let lines = readableBytesView.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if index > 0 { result.writeInteger(UInt8(ascii: "\n")) }
            let text = line.drop { $0 == UInt8(ascii: " ") }
            let begins = text.starts(with: "/*".utf8)
            if !isInside, !begins, !text.starts(with: "//".utf8) {
                result.writeBytes(line)
            } else if isInside || begins {
                isInside = !text.suffix(2).elementsEqual("*/".utf8)
            }
        }
        return result
    }
}
