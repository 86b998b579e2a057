import WorkflowLua

/// The lines of a file on which code begins.
struct CodeLines {
    /// All lines, in order.
    private(set) var all: [Int] = []
    /// The lines with code of functions. The others run when the file is loaded.
    private(set) var ofFunctions: Set<Int> = []

    init(_ text: [UInt8]) {
        let bytes = text.withLineFeeds
        var (line, position) = (1, 0)
        /// The open blocks; a function's is true from the end of its parameters.
        var blocks: [Bool] = []
        /// The open parentheses of the parameters that are being read; `nil` between functions.
        var parameters: Int?
        for word in SourceWords(bytes) {
            while position < word.startIndex {
                if bytes[position] == 0x0A { line += 1 }
                position += 1
            }
            let text = String(decoding: word, as: UTF8.self)
            // A word that only ends something does not run, except the `end` of a function.
            if all.last != line, !["else", "}", ")", ",", "do", "then"].contains(text) {
                all.append(line)
            }
            let isInFunction = blocks.contains(true)
            switch text {
            case "function":
                parameters = 0
                if isInFunction { ofFunctions.insert(line) }
                continue
            case "(" where parameters != nil:
                parameters = (parameters ?? 0) + 1
                continue
            case ")" where parameters != nil:
                parameters = nil
                blocks.append(true)
                continue
            case "do", "if", "repeat": blocks.append(false)
            case "end", "until": _ = blocks.popLast()
            default: break
            }
            if isInFunction, parameters == nil { ofFunctions.insert(line) }
        }
    }

    func first(from line: Int) -> Int? { all.first { $0 >= line } }
}
