import LuaVM

extension FlowModules.Module {
    /// The source as a text, without a byte order mark.
    package var text: String {
        String(decoding: source.dropFirst(LuaVM.byteOrderMarkLength(of: source)), as: UTF8.self)
    }
}

extension FlowModules {
    /// The name of the module in a file: `parts.row` of `parts/row.lua`; of a library's, its path.
    package static func name(of file: String) -> String {
        isLibrary(file) ? file : file.withoutLua.split(separator: "/").joined(separator: ".")
    }

    /// The modules that a source text requires by literal names, in order.
    package static func names(requiredIn text: String) -> [String] {
        var names: [String] = []
        var isRequired = false
        for word in SourceWords(Array(text.utf8)) {
            if word.elementsEqual("require".utf8) {
                isRequired = true
            } else if isRequired, !word.elementsEqual("(".utf8) {
                isRequired = false
                guard word.count > 2, let quote = word.first, quote == word.last,
                    quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
                else { continue }
                let name = String(decoding: word.dropFirst().dropLast(), as: UTF8.self)
                if isName(name) { names.append(name) }
            }
        }
        return names
    }
}
