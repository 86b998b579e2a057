import Foundation

/// Parses the language server's annotations that the definitions use. Reports each invalid line.
struct AnnotationGrammar {
    private(set) var faults: [String] = []
    /// The declared classes and aliases, and the types used.
    private(set) var declared: Set<String> = []
    private(set) var used: Set<String> = []

    private static let builtIn: Set<String> = [
        "any", "boolean", "function", "integer", "nil", "number", "string", "table", "thread",
    ]

    var unknown: Set<String> { used.subtracting(declared).subtracting(Self.builtIn) }

    private var characters: [Character] = []
    private var position = 0

    init(_ text: String) {
        for line in text.split(separator: "\n") where line.hasPrefix("---@") {
            characters = Array(line.dropFirst(4))
            position = 0
            if !readLine() { faults.append(String(line)) }
        }
    }

    private mutating func readLine() -> Bool {
        switch name() {
        case "meta": return space() && name() != nil && isAtEnd
        case "class":
            guard space(), let name = name() else { return false }
            declared.insert(name)
            guard take(":") else { return isAtEnd }
            return type() && isAtEnd
        case "alias":
            guard space(), let name = name(), space() else { return false }
            declared.insert(name)
            return type() && isAtEnd
        case "field":
            guard space() else { return false }
            if take("[") {
                guard quoted() || type(), take("]") else { return false }
            } else {
                guard name() != nil else { return false }
                _ = take("?")
            }
            return space() && type() && isAtEndOrText
        case "param":
            guard space(), take("...") || name() != nil else { return false }
            _ = take("?")
            return space() && type() && isAtEnd
        case "return": return space() && type() && isAtEnd
        case "overload": return space() && type() && isAtEnd
        default: return false
        }
    }

    private mutating func type() -> Bool {
        repeat {
            skipSpace()
            guard part() else { return false }
            while true {
                if take("[]") || take("?") { continue }
                break
            }
        } while take("|")
        return true
    }

    private mutating func part() -> Bool {
        if take("(") { return type() && take(")") }
        if quoted() { return true }
        if take("{") { return shape() }
        guard let name = name() else { return false }
        if name == "fun", take("(") { return function() }
        used.insert(name)
        guard take("<") else { return true }
        repeat { guard type() else { return false } } while take(",")
        return take(">")
    }

    private mutating func shape() -> Bool {
        skipSpace()
        while !take("}") {
            skipSpace()
            if take("[") {
                guard quoted(), take("]") else { return false }
            } else {
                guard name() != nil else { return false }
            }
            _ = take("?")
            guard take(":"), type() else { return false }
            skipSpace()
            if !take(",") { return take("}") }
        }
        return true
    }

    private mutating func function() -> Bool {
        while !take(")") {
            skipSpace()
            guard take("...") || name() != nil else { return false }
            _ = take("?")
            if take(":") { guard type() else { return false } }
            if !take(",") {
                guard take(")") else { return false }
                break
            }
        }
        guard take(":") else { return true }
        repeat { guard type() else { return false } } while take(",")
        return true
    }

    private mutating func quoted() -> Bool {
        guard take("\"") else { return false }
        while position < characters.count, characters[position] != "\"" { position += 1 }
        return take("\"")
    }

    private mutating func name() -> String? {
        let start = position
        while position < characters.count {
            let character = characters[position]
            guard character.isASCII,
                character.isLetter || character.isNumber || "_.".contains(character)
            else { break }
            position += 1
        }
        return position > start ? String(characters[start..<position]) : nil
    }

    private mutating func take(_ text: String) -> Bool {
        guard characters[position...].starts(with: text) else { return false }
        position += text.count
        return true
    }

    private mutating func skipSpace() { _ = space() }

    private mutating func space() -> Bool {
        let start = position
        while position < characters.count, characters[position] == " " { position += 1 }
        return position > start
    }

    private var isAtEnd: Bool { position == characters.count }

    /// A description follows a space.
    private var isAtEndOrText: Bool { isAtEnd || characters[position] == " " }
}
