import CGzip
import CInspectorPage
import HTTPServing
import HTTPTypes
package import HummingbirdCore
import LibC
package import NIOCore

/// A file of the page.
package struct PageFile: Sendable {
    package let name: String
    package let bytes: ByteBuffer
    /// The bytes as gzip; `nil` if this machine cannot compress them.
    package let compressed: ByteBuffer?

    package init(name: String, bytes: ByteBuffer) {
        self.name = name
        self.bytes = bytes
        compressed = bytes.compressed()
    }

    /// The response to a request; `nil` for an unknown file type.
    package func response(to request: Request) -> Response? {
        guard let type else { return nil }
        let body = request.acceptsGzip ? compressed : nil
        // Each representation has a tag of its own (RFC 9110, 8.8.3).
        let tag = body == nil ? "\"\(hash)\"" : "\"\(hash)-gzip\""
        var headers: HTTPFields = [
            .contentType: type, .eTag: tag, .cacheControl: "no-cache", .vary: "Accept-Encoding",
        ]
        if request.knows(tag) {
            return Response(status: .notModified, headers: headers)
        }
        if body != nil { headers[.contentEncoding] = "gzip" }
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: body ?? bytes))
    }

    /// A hash of the bytes.
    private var hash: String {
        // FNV-1a, 64 bits.
        let hash = bytes.readableBytesView.reduce(into: 0xcbf2_9ce4_8422_2325 as UInt64) {
            $0 = ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return String(hash, radix: 16)
    }

    private var type: String? {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "json": "application/json"
        case "svg": "image/svg+xml"
        default: nil
        }
    }
}

/// The files of the page: the embedded ones, or those of a folder, read at each request.
package struct PageFiles: Sendable {
    private let embedded: [String: PageFile]
    private let folder: String?

    /// - Throws: An ``InspectorFailure`` if the folder has no page.
    package init(folder: String?) throws(InspectorFailure) {
        self.folder = folder
        embedded = folder == nil ? Self.embedded() : [:]
        if let folder, file(named: "index.html") == nil {
            throw InspectorFailure(
                "there is no page in \(folder)", help: "it has a file index.html")
        }
    }

    /// A file; `nil` if there is none of this name.
    package func file(named name: String) -> PageFile? {
        guard let folder else { return embedded[name] }
        // Such a name cannot lead to another folder.
        guard !name.isEmpty, name.first != ".", name.utf8.allSatisfy(Self.isPlain),
            let bytes = Self.read("\(folder)/\(name)")
        else { return nil }
        return PageFile(name: name, bytes: ByteBuffer(bytes: bytes))
    }

    private static func embedded() -> [String: PageFile] {
        var files: [String: PageFile] = [:]
        var index = 0
        while let file = inspector_page_file_at(index)?.pointee {
            let name = String(cString: file.name)
            let bytes = UnsafeRawBufferPointer(start: file.bytes, count: file.count)
            files[name] = PageFile(name: name, bytes: ByteBuffer(bytes: bytes))
            index += 1
        }
        return files
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Reads a regular file of at most a megabyte.
    private static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= 1 << 20
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var count = 0
        while count < bytes.count {
            let read = bytes.withUnsafeMutableBytes { bytes in
                LibC.read(file, bytes.baseAddress.map { $0 + count }, bytes.count - count)
            }
            guard read > 0 else { break }
            count += read
        }
        return Array(bytes.prefix(count))
    }
}

extension ByteBuffer {
    fileprivate func compressed() -> ByteBuffer? {
        withUnsafeReadableBytes { bytes in
            let bytes = bytes.bindMemory(to: UInt8.self)
            let bound = gzip_bound(bytes.count)
            guard bound > 0, let start = bytes.baseAddress else { return nil }
            let compressed = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
                count = buffer.baseAddress.map { gzip_compress(start, bytes.count, $0) } ?? 0
            }
            return compressed.isEmpty ? nil : ByteBuffer(bytes: compressed)
        }
    }
}

extension Request {
    /// True if `Accept-Encoding` names gzip with a weight other than 0 (RFC 9110, 12.5.3).
    fileprivate var acceptsGzip: Bool {
        (headers[.acceptEncoding] ?? "").split(separator: ",").contains { element in
            let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard parts.first?.lowercased() == "gzip" else { return false }
            return !parts.dropFirst().contains { part in
                part.lowercased().hasPrefix("q=") && Double(part.dropFirst(2)) == 0
            }
        }
    }
}
