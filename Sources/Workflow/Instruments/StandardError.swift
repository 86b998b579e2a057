import LibC

/// Standard error as a stream of text, without buffering.
struct StandardError: TextOutputStream {
    func write(_ text: String) {
        writeAll(text, to: STDERR_FILENO)
    }
}

private func writeAll(_ text: String, to file: Int32) {
    var text = text
    text.withUTF8 { bytes in
        guard let start = bytes.baseAddress else { return }
        // Nothing can be done about a standard error that takes no bytes.
        _ = write(file, start, bytes.count)
    }
}
