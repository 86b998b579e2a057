import CLineEditor

// The line on the screen; on the thread that reads.
extension LineEditor {
    /// What is typed, as text, and what of it stands before the cursor.
    var typed: (text: String, before: String)? {
        guard let editor else { return nil }
        var (length, cursor) = (0, 0)
        guard let bytes = cle_line(editor, &length, &cursor) else { return nil }
        let line = UnsafeRawBufferPointer(start: bytes, count: length)
        return (
            String(decoding: line, as: UTF8.self),
            String(decoding: line.prefix(cursor), as: UTF8.self)
        )
    }

    /// Clears the prompt and the line from the screen, with the cursor where they began.
    func erase() {
        guard let typed else {
            OutputStream.standardOutput.write("\n")
            return
        }
        let row = (displayWidth(prompt) + displayWidth(typed.before)) / Self.columns
        OutputStream.standardOutput.write("\r" + (row > 0 ? "\u{1B}[\(row)A" : "") + "\u{1B}[J")
    }

    func redraw() {
        if let editor {
            cle_redraw(editor)
        } else {
            OutputStream.standardOutput.write(prompt)
        }
    }

    /// Tab: inserts what is certain, or shows what is possible.
    func completeLine() {
        guard let editor, let typed else { return }
        let completion = complete(typed.before)
        guard let first = completion.candidates.first else { return }
        let common = completion.candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        if common != completion.typed {
            cle_delete(editor, Int32(completion.typed.unicodeScalars.count))
            cle_insert(editor, common)
        } else if completion.candidates.count > 1 {
            erase()
            OutputStream.standardOutput.write(prompt + typed.text + "\n")
            OutputStream.standardOutput.write(
                completion.candidates.inColumns(width: Self.columns))
            redraw()
        }
    }
}

extension [String] {
    /// The texts side by side, as many as fit a width.
    fileprivate func inColumns(width: Int) -> String {
        /// More would push away what was said before.
        let most = 100
        let shown = prefix(most).map(printable)
        let column = (shown.map(displayWidth).max() ?? 0) + 2
        let count = Swift.max(1, width / column)
        var text = ""
        for start in stride(from: 0, to: shown.count, by: count) {
            text +=
                shown[start..<Swift.min(start + count, shown.count)]
                .map { $0.padded(to: column) }.joined().trimmedEnd + "\n"
        }
        return self.count > most ? text + "… \(self.count - most) more\n" : text
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}
