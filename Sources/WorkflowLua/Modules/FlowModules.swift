/// Where a flow's modules come from: the files of one folder, or texts that a program holds.
public struct FlowModules {
    /// The text of a module and the file name that messages show for it.
    public struct Module {
        /// The name that messages show, such as `item.lua`.
        public var file: String
        /// The bytes of the source.
        public var source: [UInt8]

        /// A module from its parts.
        public init(file: String, source: [UInt8]) {
            self.file = file
            self.source = source
        }
    }

    /// What is known about a module that was asked for.
    public enum Answer {
        /// It is there.
        case found(Module)
        /// It is not there; the names of those that are, for a suggestion.
        case missing(known: [String])
        /// It is there but may not or cannot be used; the reason as half a sentence.
        case refused(String)
    }

    /// Answers for a name such as `item` or `parts.row`, which is known to be well-formed.
    public var find: (_ name: String) -> Answer

    /// Modules from a function.
    public init(find: @escaping (_ name: String) -> Answer) { self.find = find }

    /// Modules held in memory: their texts by name.
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

    /// The file that a module's name stands for: `parts.row` is `parts/row.lua`.
    public static func file(of name: String) -> String {
        name.split(separator: ".").joined(separator: "/") + ".lua"
    }
}
