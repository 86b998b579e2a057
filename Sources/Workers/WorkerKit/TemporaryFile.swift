import LibC

package enum TemporaryFile {
    /// The folder for temporary files, without a slash at its end: `TMPDIR`, or `/tmp`.
    package static var folder: String {
        guard var folder = getenv("TMPDIR").flatMap({ String(validatingCString: $0) }),
            !folder.isEmpty
        else { return "/tmp" }
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        return folder
    }

    /// Opens a new file without a name. Only this process can read it, and it ends with it. The
    /// descriptor is negative, with a reason in `errno`, if the file cannot be made.
    package static func openUnnamed() -> Int32 {
        var path = Array("\(folder)/workflow-run-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { return file }
        // Programs that workers start must not inherit it.
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
