import GRDB
import LibC

extension StoreError {
    /// The error of the file that `errno` describes.
    static func cannotOpen(_ path: String) -> StoreError {
        StoreError(.io, "\(path) cannot be opened: \(String(cString: strerror(errno)))")
    }

    static func isThere(_ path: String) -> StoreError {
        StoreError(
            .exists, "there is a file \(path) already", help: "give the path of a new file")
    }

    /// Converts an error of the database.
    init(_ error: any Error, path: String) {
        if let own = error as? StoreError {
            self = own
            return
        }
        guard let error = error as? DatabaseError else {
            self.init(.io, "\(path): \(error)")
            return
        }
        let reason = error.message ?? "\(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(
                .corrupted, "\(path) is damaged: \(reason)", help: "restore it from a copy")
        case .SQLITE_FULL:
            self.init(.full, "there is no space left for \(path)", help: "make room, and try again")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.busy, "\(path) is kept busy by somebody else", help: "try again")
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            self.init(.io, "\(path) cannot be written: \(reason)")
        case .SQLITE_CANTOPEN:
            self.init(.io, "\(path) cannot be opened: \(reason)")
        default: self.init(.io, "\(path): \(reason)")
        }
    }
}
