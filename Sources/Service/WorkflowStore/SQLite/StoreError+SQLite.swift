import GRDB
import LibC

extension StoreError {
    /// The error of the file that `errno` describes.
    static func cannotOpen(_ path: String) -> StoreError {
        unopenable(path, String(cString: strerror(errno)))
    }

    init(_ error: any Error, path: String) {
        if let own = error as? StoreError {
            self = own
            return
        }
        guard let error = error as? DatabaseError else {
            self = .fault(path, "\(error)")
            return
        }
        let reason = error.message ?? "\(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damagedFile(path, reason)
        case .SQLITE_FULL: self = .fullDisk(path)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busyFile(path)
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: self = .unwritable(path, reason)
        case .SQLITE_CANTOPEN: self = .unopenable(path, reason)
        default: self = .fault(path, reason)
        }
    }
}
