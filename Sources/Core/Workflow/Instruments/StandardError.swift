import LibC

struct StandardError: TextOutputStream {
    func write(_ text: String) {
        writeAll(text, to: STDERR_FILENO)
    }
}

private func writeAll(_ text: String, to file: Int32) {
    var text = text
    text.withUTF8 { bytes in
        guard let start = bytes.baseAddress else { return }
        // If standard error accepts no bytes, there is nothing to do about it.
        _ = write(file, start, bytes.count)
    }
}
