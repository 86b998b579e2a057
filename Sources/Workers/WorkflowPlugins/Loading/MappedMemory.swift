import LibC

/// Reads memory that may not be mapped, for example when a library's table points nowhere.
///
/// The kernel copies the bytes into a pipe, and returns an error instead of crashing if there is no
/// memory.
struct MappedMemory: ~Copyable {
    private static let page = 4096
    private let readEnd: CInt
    private let writeEnd: CInt

    /// Returns nil if the process has no file descriptors left.
    init?() {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// The bytes at an address, or nil if they are not all mapped.
    func bytes(at address: UnsafeRawPointer?, count: Int) -> [UInt8]? {
        guard let address else { return nil }
        var bytes: [UInt8] = []
        while bytes.count < count {
            let chunk = min(Self.page, count - bytes.count)
            let (next, isPastEnd) = UInt(bitPattern: address).addingReportingOverflow(
                UInt(bytes.count))
            guard !isPastEnd, let copy = copyPage(at: UnsafeRawPointer(bitPattern: next), chunk)
            else { return nil }
            bytes += copy
        }
        return bytes
    }

    /// A copy of a C structure without references, or nil if it is not mapped.
    func load<T: BitwiseCopyable>(_ type: T.Type, at address: UnsafeRawPointer?) -> T? {
        bytes(at: address, count: MemoryLayout<T>.size)?.withUnsafeBytes {
            $0.loadUnaligned(as: type)
        }
    }

    /// A NUL-terminated text, or nil if it is not mapped, not UTF-8, or longer than `limit`.
    func text(at address: UnsafePointer<CChar>?, limit: Int) -> String? {
        guard let address else { return nil }
        let start = UnsafeRawPointer(address)
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let next = start + bytes.count
            // Not beyond this page, since the next may not be mapped.
            let rest = Self.page - Int(UInt(bitPattern: next) % UInt(Self.page))
            guard let chunk = copyPage(at: next, rest) else { return nil }
            if let end = chunk.firstIndex(of: 0) {
                bytes += chunk[..<end]
                return bytes.count <= limit ? String(validating: bytes, as: UTF8.self) : nil
            }
            bytes += chunk
        }
        return nil
    }

    private func copyPage(at address: UnsafeRawPointer?, _ count: Int) -> [UInt8]? {
        guard let address, write(writeEnd, address, count) == count else { return nil }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(read(readEnd, buffer.baseAddress, count), 0)
        }
    }
}
