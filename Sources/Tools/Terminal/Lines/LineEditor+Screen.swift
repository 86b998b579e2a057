import CTerminal

// The line on the screen. These methods run on the reading thread.
extension LineEditor {
    /// The typed text, and the part before the cursor.
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

    /// The number of rows from the start of the prompt to the end of a text that follows it.
    private func rows(_ text: String) -> Int {
        (displayWidth(prompt) + displayWidth(text)) / Self.columns
    }

    /// Clears the prompt, the line and the status, and moves the cursor to where they began.
    func erase() {
        guard let typed else {
            OutputStream.standardOutput.write("\n")
            return
        }
        let row = rows(typed.before) + (hasStatus ? 1 : 0)
        hasStatus = false
        OutputStream.standardOutput.write("\r" + (row > 0 ? "\u{1B}[\(row)A" : "") + "\u{1B}[J")
    }

    func redraw() {
        if let editor {
            cle_redraw(editor)
        } else {
            OutputStream.standardOutput.write(prompt)
        }
    }

    // MARK: The status above the prompt

    /// Draws a status above the next prompt.
    func drawStatus(_ text: String) {
        hasStatus = editor != nil && !text.isEmpty
        if hasStatus { OutputStream.standardOutput.write(text + "\n") }
    }

    /// Replaces the status above the line that is being typed.
    func redrawStatus(_ text: String) {
        guard editor != nil, let typed, hasStatus || !text.isEmpty else { return }
        guard hasStatus, !text.isEmpty else {
            erase()
            drawStatus(text)
            redraw()
            return
        }
        let row = rows(typed.before) + 1
        OutputStream.standardOutput.write("\u{1B}7\r\u{1B}[\(row)A\u{1B}[2K\(text)\u{1B}8")
    }

    func removeStatus(above line: String) {
        guard hasStatus else { return }
        hasStatus = false
        let row = rows(line) + 1
        OutputStream.standardOutput.write("\u{1B}[\(row + 1)A\u{1B}[M\u{1B}[\(row)B\r")
    }

    /// Handles Tab: inserts the certain part of the completion, or lists the candidates.
    func completeLine() {
        guard let editor, let typed else { return }
        let completion = complete(typed.before)
        guard let first = completion.candidates.first else { return }
        let common = completion.candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        if !common.isEmpty, common != completion.typed {
            cle_delete(editor, Int32(completion.typed.unicodeScalars.count))
            cle_insert(editor, common)
        } else if completion.candidates.count > 1 {
            erase()
            OutputStream.standardOutput.write(prompt + printable(typed.text) + "\n")
            OutputStream.standardOutput.write(completion.candidates.inColumns(width: Self.columns))
            redraw()
        }
    }
}

extension [String] {
    /// The texts in as many columns as fit the width.
    fileprivate func inColumns(width: Int) -> String {
        /// More candidates would scroll earlier output away.
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
