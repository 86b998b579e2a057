import LibC

/// Replaces the text of a file atomically: a reader sees the old text or the new one. Links stay.
/// If the path is not a regular file, such as `/dev/stdout`, the text is written to it.
package func writeFile(_ text: String, to path: String) throws(FlowError) {
    func fail(_ number: Int32) -> FlowError {
        FlowError(.unwritable, path, SystemFailure(number: number))
    }
    var status = stat()
    let isOther = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    let target = isOther ? path : resolvedPath(path) ?? path
    // A new file in the same folder, so that the rename is atomic.
    let draft = isOther ? path : "\(target).\(UInt32.random(in: 0...UInt32.max)).new"
    guard let file = fopen(draft, isOther ? "we" : "wxe") else { throw fail(errno) }
    let bytes = Array(text.utf8)
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    var failure = errno
    let isClosed = fclose(file) == 0
    // A buffered write may fail only here.
    if isWritten { failure = errno }
    guard isWritten, isClosed else {
        if !isOther { unlink(draft) }
        throw fail(failure)
    }
    guard isOther || rename(draft, target) == 0 else {
        let number = errno
        unlink(draft)
        throw fail(number)
    }
}
