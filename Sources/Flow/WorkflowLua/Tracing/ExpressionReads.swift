import LuaVM
import PlainValue

/// A value that an expression reads at a moment.
struct ExpressionRead {
    /// The parameter that stands for it in the expression.
    let parameter: String
    /// True if a whole variable is read, false if a part of one is.
    let isWhole: Bool
    private let read: LuaRead
    /// The steps of its path that are reads themselves, such as `i` in `items[i]`.
    private let indexes: [(step: Int, read: ExpressionRead)]

    fileprivate init(
        _ parameter: String, _ read: LuaRead, _ indexes: [(step: Int, read: ExpressionRead)] = [],
        isWhole: Bool = false
    ) {
        self.parameter = parameter
        self.isWhole = isWhole
        self.read = read
        self.indexes = indexes
    }

    func value(at moment: borrowing LuaMoment, level: Int) -> LuaRead.Found {
        for (step, index) in indexes {
            guard case .value(let key) = index.value(at: moment, level: level),
                read.set(key, at: step)
            else { return .noPath }
        }
        return moment.value(of: read, at: level)
    }
}

/// The values that an expression reads, found from its words. `items[i].n` and `#state.items` are
/// one value each, so that `items` and `state` need not be copied as a whole.
struct ExpressionReads {
    /// The expression, with parameters in place of its reads.
    private(set) var text = ""
    private(set) var reads: [ExpressionRead] = []
    /// The names of the variables that it reads as a whole.
    private(set) var names: [String] = []

    /// The prefix of parameters for parts of variables.
    private static let prefix = "_read"

    /// - Parameter isGlobal: Returns true for the name of a global of the sandbox.
    /// - Returns: `nil` if names may stand for something else, such as the variables of a function.
    init?(of expression: String, isGlobal: (String) -> Bool) {
        let words = ExpressionWords(expression)
        let unclear = words.words.contains { word in
            word == "function" || word == "_ENV" || word.hasPrefix(Self.prefix)
        }
        guard !unclear else { return nil }
        var index = 0
        while index < words.words.count {
            let word = words[index]
            if let found = words.read(at: index), !found.isWhole, !isGlobal(found.name) {
                reads.append(found.read(as: "\(Self.prefix)\(reads.count)"))
                text += " " + reads[reads.count - 1].parameter
                index = found.end
                continue
            }
            if let name = words.name(at: index), words[index + 1] != "=", !names.contains(name) {
                names.append(name)
                reads.append(ExpressionRead(name, LuaRead(name), isWhole: true))
            }
            text += " " + word
            index += 1
        }
    }

    static func hasFunctions(_ text: String) -> Bool {
        ExpressionWords(text).words.contains("function")
    }

    /// The names in a text that may be variables, each once.
    static func names(in text: String) -> [String] {
        let words = ExpressionWords(text)
        var names: [String] = []
        for index in words.words.indices {
            if let name = words.name(at: index), !names.contains(name) { names.append(name) }
        }
        return names
    }
}

struct ExpressionWords {
    /// A read that has no parameter yet.
    struct Found {
        let name: String
        let isLength: Bool
        var path: [Value] = []
        var indexes: [(step: Int, read: ExpressionRead)] = []
        /// The index of the word after it.
        var end: Int

        var isWhole: Bool { path.isEmpty && !isLength }

        /// The read, if its path has no reads of its own.
        var read: LuaRead? { indexes.isEmpty ? LuaRead(name, path, isLength: isLength) : nil }

        func read(as parameter: String) -> ExpressionRead {
            ExpressionRead(parameter, LuaRead(name, path, isLength: isLength), indexes)
        }
    }

    let words: [String]

    init(_ text: String) {
        // The blank keeps a `#` at the beginning from being taken for a first line for the shell.
        words = SourceWords(Array(" \(text)".utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    subscript(index: Int) -> String { words.indices.contains(index) ? words[index] : "" }

    /// The name of a variable at an index; `nil` for a field or a method.
    func name(at index: Int) -> String? {
        let isField = [".", ":"].contains(self[index - 1])
        return isField || !LuaText.isName(self[index]) ? nil : self[index]
    }

    /// The longest read that begins at a word; `nil` if there is none.
    func read(at start: Int) -> Found? {
        let isLength = self[start] == "#"
        let first = isLength ? start + 1 : start
        guard let name = name(at: first) else { return nil }
        var found = Found(name: name, isLength: isLength, end: first + 1)
        while addStep(to: &found) {}
        // A length applies to the whole expression after it, so it must be a plain path.
        let follows = self[found.end].first.map { "[.:({^\"'".contains($0) } ?? false
        return isLength && follows ? nil : found
    }

    private static func key(_ word: String) -> Value? {
        if let number = Int(word) { return .int(number) }
        if word == "true" || word == "false" { return .bool(word == "true") }
        // Other forms of numbers are left to Lua.
        guard word.allSatisfy({ $0.isNumber || $0 == "." }) else { return nil }
        return Double(word).map { .double($0) }
    }

    private func addStep(to found: inout Found) -> Bool {
        let next = self[found.end + 1]
        if self[found.end] == ".", LuaText.isName(next) {
            found.path.append(.string(next))
            found.end += 2
            return true
        }
        guard self[found.end] == "[" else { return false }
        var end = found.end + 2
        var step = Value.int(0)
        var index: Found?
        if let key = Self.key(next) {
            step = key
        } else if next == "-", case .int(let number)? = Self.key(self[end]) {
            step = .int(-number)
            end += 1
        } else if let quote = next.first, "\"'".contains(quote), !next.contains("\\") {
            step = .string(String(next.dropFirst().dropLast()))
        } else {
            index = read(at: found.end + 1)
            end = index?.end ?? end
            guard index != nil else { return false }
        }
        guard self[end] == "]" else { return false }
        if let index { found.indexes.append((found.path.count, index.read(as: ""))) }
        found.path.append(step)
        found.end = end + 1
        return true
    }
}
