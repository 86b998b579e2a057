// Facts that Lua does not report, found from the words of a text.
extension ModuleLoader {
    /// The lines of a file in which a field is given a value, in order.
    func lines(ofField name: String, in file: String) -> [Int] {
        guard let text = text(of: file) else { return [] }
        let words = Array(SourceWords(text))
        return zip(words, words.dropFirst()).filter { word, next in
            word.elementsEqual(name.utf8) && next.elementsEqual("=".utf8)
        }.map { text.line(at: $0.0.startIndex) }
    }

    /// The line in which a text makes a table weak; `nil` if it does not.
    static func lineOfWeakTable(in text: [UInt8]) -> Int? {
        let name = Array("__mode".utf8)
        // Few texts have the word, and a search for bytes is faster than reading words.
        let isThere = text.withUnsafeBytes { bytes in
            bytes.indices.dropLast(name.count - 1).contains { index in
                bytes[index] == name[0] && bytes[index + 2] == name[2]
                    && bytes[index..<(index + name.count)].elementsEqual(name)
            }
        }
        guard isThere else { return nil }
        let word = SourceWords(text).first { word in
            word.elementsEqual(name) || word.dropFirst().dropLast().elementsEqual(name)
        }
        return word.map { text.line(at: $0.startIndex) }
    }

    /// The likely line of an error of which only the function is known: the only line in it that
    /// sets the field of a rendering, or changes the state.
    func lineInFunction(of error: FlowError) -> Int? {
        guard error.phase == .render, error.excerpt == nil, let location = error.location,
            let text = text(of: location.file), location.line > 0
        else { return nil }
        let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard location.line <= lines.count, lines[location.line - 1].contains("function") else {
            return nil
        }
        let isReason: (String) -> Bool
        if let path = error.field, path.hasPrefix("rendering."),
            let name = path.split(separator: ".").last
        {
            isReason = { $0.contains("\(name) = ") }
        } else if error.reason == .stateChanged {
            isReason = \.changesState
        } else {
            return nil
        }
        let body = lines[location.line...].prefix { !$0.hasPrefix("end") }
        let found = body.indices.filter { isReason(body[$0]) }
        return found.count == 1 ? found[0] + 1 : nil
    }

    /// The first line of code in a file from a line on; `nil` if there is none.
    func lineOfCode(from first: Int, in file: String) -> Int? {
        guard let text = text(of: file) else { return nil }
        var (line, counted) = (1, text.startIndex)
        for word in SourceWords(text) {
            line += text[counted..<word.startIndex].count { $0 == 0x0A }
            counted = word.startIndex
            if line >= first { return line }
        }
        return nil
    }

    /// The first line of the expression at a line. Operators and parentheses continue it on the
    /// next line, and a line that begins with a closing word belongs to the one that opened it.
    func startOfExpression(at last: Int, in file: String) -> Int {
        guard let text = text(of: file) else { return last }
        var (line, counted) = (1, text.startIndex)
        var (start, before, found) = (1, "", last)
        var open: [(word: String, start: Int)] = []
        for word in SourceWords(text) {
            let lines = text[counted..<word.startIndex].count { $0 == 0x0A }
            line += lines
            counted = word.startIndex
            guard line <= last else { break }
            let word = String(decoding: word, as: UTF8.self)
            let isInside = open.last.map { $0.word == "(" || $0.word == "[" } ?? false
            // A sign at the beginning of a value is not a binary operator.
            let isBetween = !["", ",", ";", "{", "(", "["].contains(before)
            let joins =
                isInside || before == "=" || Self.operators.contains(before)
                || isBetween && Self.operators.contains(word)
            if lines > 0, !joins { start = line }
            switch word {
            case "(", "[", "{", "function", "if", "do", "repeat": open.append((word, start))
            case ")", "]", "}", "end", "until": start = open.popLast()?.start ?? start
            default: break
            }
            before = word
            guard line == last else { continue }
            found = start
            if ![")", "]", "}", "end"].contains(word) { break }
        }
        return found
    }

    private static let operators: Set<String> = [
        "and", "or", "not", "..", "+", "-", "*", "/", "//", "%", "^", "&", "|", "~", "<<", ">>",
        "==", "~=", "<", "<=", ">", ">=",
    ]

    /// The place where a function gives its first parameter a value not computed from the old one;
    /// `nil` as well if several functions begin in that line.
    func assignmentToFirstParameter(
        ofFunctionAt location: FlowError.Location
    ) -> (name: String, line: Int)? {
        guard let text = text(of: location.file), let words = words(ofFunctionAt: location, text),
            words.count > 2
        else { return nil }
        let name = words[2].text
        let body = words.dropFirst(3)
        for place in body.indices.dropLast(3) where body[place].text == name {
            guard body[place + 1].text == "=",
                ![".", ":", ",", "{", "local"].contains(body[place - 1].text),
                !(body[place + 2].text == name && [".", "["].contains(body[place + 3].text))
            else { continue }
            return (name, text.line(at: body[place].start))
        }
        return nil
    }

    /// The parameters of the function at a place; `nil` if several functions begin there.
    func parameters(ofFunctionAt location: FlowError.Location) -> [String]? {
        guard let text = text(of: location.file), let words = words(ofFunctionAt: location, text)
        else { return nil }
        return words.dropFirst(2).map(\.text).prefix { $0 != ")" }.filter { $0 != "," }
    }

    /// The words of the only function that begins in a line, up to its end.
    private func words(
        ofFunctionAt location: FlowError.Location, _ text: [UInt8]
    ) -> [(text: String, start: Int)]? {
        var words: [(text: String, start: Int)] = []
        var depth = 0
        var isOver = false
        var (line, counted) = (1, text.startIndex)
        for word in SourceWords(text) {
            line += text[counted..<word.startIndex].count { $0 == 0x0A }
            counted = word.startIndex
            if line < location.line { continue }
            let name = String(decoding: word, as: UTF8.self)
            if isOver {
                if line > location.line { break }
                if name == "function" { return nil }
                continue
            }
            if words.isEmpty, line != location.line || name != "function" {
                if line > location.line { return nil }
                continue
            }
            words.append((name, word.startIndex))
            if ["do", "function", "if", "repeat"].contains(name) { depth += 1 }
            if ["end", "until"].contains(name) { depth -= 1 }
            isOver = depth == 0
        }
        // A name may stand between the word and its parameters.
        guard let parameters = words.firstIndex(where: { $0.text == "(" }), parameters > 0 else {
            return nil
        }
        return [words[0]] + words[parameters...]
    }
}

extension [UInt8] {
    fileprivate func line(at index: Int) -> Int { self[..<index].count { $0 == 0x0A } + 1 }
}

extension String {
    /// True if this is a line such as `state.count = 1` or `table.insert(state.items, item)`.
    fileprivate var changesState: Bool {
        let text = drop { $0 == " " || $0 == "\t" }
        if text.hasPrefix("table.") { return text.contains("(state.") }
        guard text.hasPrefix("state.") else { return false }
        let rest = text.drop { $0.isLetter || $0.isNumber || "_.[]\"".contains($0) }
            .drop { $0 == " " }
        return rest.first == "=" && rest.dropFirst().first != "="
    }
}
