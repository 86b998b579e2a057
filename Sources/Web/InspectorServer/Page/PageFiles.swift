package import CPages
import HTTPServing
import HTTPTypes
package import HummingbirdCore
import LibC
package import NIOCore
import PlainValue
import Synchronization

/// A file of the page, served compressed to clients that take it so.
package final class PageFile: Sendable {
    package let name: String
    package let bytes: ByteBuffer
    /// True if nobody reads the file when it is compressed.
    private let isPart: Bool
    /// The bytes in the format of gzip, made for the first client that takes them.
    private let compressed = Mutex<ByteBuffer?>(nil)

    /// - Parameter isPart: True if it is a file of pages, which is compressed without its comments.
    package init(name: String, bytes: ByteBuffer, isPart: Bool = false) {
        self.name = name
        self.bytes = bytes
        self.isPart = isPart
    }

    /// The embedded files of one page, by name.
    package static func embedded(
        _ fileAt: (Int) -> UnsafePointer<page_file>?, areParts: Bool = false
    ) -> [String: PageFile] {
        var files: [String: PageFile] = [:]
        var index = 0
        while let file = fileAt(index)?.pointee {
            let name = String(cString: file.name)
            let text = ByteBuffer(string: String(cString: file.text))
            files[name] = PageFile(name: name, bytes: text, isPart: areParts)
            index += 1
        }
        return files
    }

    /// The response to a request; `nil` for an unknown file type.
    package func response(to request: Request) -> Response? {
        guard let type else { return nil }
        // A weak tag stands for both encodings.
        var headers: HTTPFields = [
            .contentType: type, .eTag: "W/\"\(tag)\"", .cacheControl: "no-cache",
            .vary: "Accept-Encoding",
        ]
        if request.knows(tag) {
            return Response(status: .notModified, headers: headers)
        }
        guard request.takesGzip, let compressed = compressedBytes else {
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: bytes))
        }
        headers[.contentEncoding] = "gzip"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: compressed))
    }

    private var compressedBytes: ByteBuffer? {
        compressed.withLock { compressed in
            compressed = compressed ?? sent.gzipped()
            return compressed
        }
    }

    /// The bytes that are compressed.
    var sent: ByteBuffer { isPart && name.hasSuffix(".js") ? bytes.withoutComments() : bytes }

    private var tag: String { StableHash(bytes.readableBytesView).digits }

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
        embedded =
            folder == nil ? PageFile.embedded(workflow_inspector_file_at, areParts: true) : [:]
        if let folder, file(named: "index.html") == nil {
            throw InspectorFailure(
                "there is no page in \(folder)", help: "it has a file index.html")
        }
    }

    package func file(named name: String) -> PageFile? {
        guard let folder else { return embedded[name] }
        // Such a name cannot lead to another folder.
        guard !name.isEmpty, name.first != ".", name.utf8.allSatisfy(Self.isPlain),
            let bytes = Self.read("\(folder)/\(name)")
        else { return nil }
        return PageFile(name: name, bytes: ByteBuffer(bytes: bytes), isPart: true)
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
