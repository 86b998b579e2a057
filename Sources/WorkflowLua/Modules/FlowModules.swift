/// The source of a flow's modules: the files of a folder, or texts in memory.
public struct FlowModules {
    /// The text of a module and the file name that messages show for it.
    public struct Module {
        /// The name that messages show, such as `item.lua`.
        public var file: String
        /// The bytes of the source.
        public var source: [UInt8]

        /// Makes a module from its parts.
        public init(file: String, source: [UInt8]) {
            self.file = file
            self.source = source
        }
    }

    /// The result of looking up a module.
    public enum Answer {
        /// The module exists.
        case found(Module)
        /// The module does not exist; `known` has the existing names, for a suggestion.
        case missing(known: [String])
        /// The module cannot be used, with the reason as half a sentence.
        case refused(String)
    }

    /// Looks up a well-formed name such as `item` or `parts.row`.
    public var find: (_ name: String) -> Answer

    /// Makes modules from a function.
    public init(find: @escaping (_ name: String) -> Answer) { self.find = find }

    /// Makes modules from texts by name.
    public init(_ texts: [String: String]) {
        self.init { name in
            guard let text = texts[name] else { return .missing(known: texts.keys.sorted()) }
            return .found(Module(file: FlowModules.file(of: name), source: Array(text.utf8)))
        }
    }

    /// Whether a text is well-formed as the name of a module.
    package static func isName(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            !part.isEmpty
                && part.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
                    default: false
                    }
                }
        }
    }

    /// The file of a module: `parts.row` is `parts/row.lua`.
    public static func file(of name: String) -> String {
        name.split(separator: ".").joined(separator: "/") + ".lua"
    }
}
