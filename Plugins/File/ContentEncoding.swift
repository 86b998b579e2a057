import WorkerKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The encoding of a file's bytes as text.
enum ContentEncoding: String, Codable, Sendable, CaseIterable {
    /// The text itself.
    case utf8 = "utf-8"
    /// Any bytes.
    case base64

    func text(_ bytes: [UInt8], of path: String) throws(WorkerError) -> String {
        switch self {
        case .base64: return Data(bytes).base64EncodedString()
        case .utf8:
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw WorkerError(
                    "not_text", "'\(path)' is not UTF-8 text",
                    help: #"read it with encoding = "base64""#)
            }
            return text
        }
    }

    func bytes(_ text: String) throws(WorkerError) -> [UInt8] {
        switch self {
        case .utf8: return Array(text.utf8)
        case .base64:
            guard let data = Data(base64Encoded: text) else {
                throw WorkerError("bad_input", "content is not base64")
            }
            return Array(data)
        }
    }
}
