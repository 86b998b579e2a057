import LibC

/// Where what is needed for a while is kept.
package enum TemporaryFile {
    /// The folder for it, without a slash at its end: `TMPDIR`, or `/tmp`.
    package static var folder: String {
        guard var folder = getenv("TMPDIR").flatMap({ String(validatingCString: $0) }),
            !folder.isEmpty
        else { return "/tmp" }
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        return folder
    }

    /// Opens a new file without a name, which only this process can read and which is gone with it, however it ends.
    ///
    /// - Returns: Its number; below 0, with a reason in `errno`, if it cannot be made.
    package static func openUnnamed() -> Int32 {
        var path = Array("\(folder)/workflow-run-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { return file }
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        guard unlink(path) == 0 else {
            let failure = errno
            close(file)
            errno = failure
            return -1
        }
        return file
    }
}
