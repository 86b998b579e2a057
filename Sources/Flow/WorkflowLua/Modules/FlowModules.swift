/// The source of a flow's modules: the files of a folder, or texts in memory.
public struct FlowModules {
    /// The text of a module, and its file name in messages.
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

    /// Looks up a well-formed name such as `item` or `parts.row`, or the path of a library's file.
    public var find: (_ name: String) -> Answer

    /// Finds the bytes of the source map beside a generated file, such as `item.lua.map`.
    package var map: (_ file: String) -> [UInt8]? = { _ in nil }

    /// Makes modules from a function.
    ///
    /// ```swift
    /// let modules = FlowModules { name in
    ///     guard let text = texts[name] else { return .missing(known: texts.keys.sorted()) }
    ///     return .found(.init(file: FlowModules.file(of: name), source: Array(text.utf8)))
    /// }
    /// ```
    public init(find: @escaping (_ name: String) -> Answer) { self.find = find }

    /// Makes modules from texts by name; those of libraries are by path.
    ///
    /// ```swift
    /// let modules = FlowModules(["parts.row": "return {}", "words": "return { title = 'Tea' }"])
    /// ```
    public init(_ texts: [String: String]) {
        self.init { name in
            for file in FlowModules.files(of: name) {
                guard let text = texts[FlowModules.name(of: file)] else { continue }
                return .found(Module(file: file, source: Array(text.utf8)))
            }
            return .missing(known: texts.keys.filter(FlowModules.isName).sorted())
        }
    }

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

    /// The file of a module.
    ///
    /// ```swift
    /// print(FlowModules.file(of: "parts.row"))  // parts/row.lua
    /// ```
    public static func file(of name: String) -> String { path(of: name) + ".lua" }

    private static func path(of name: String) -> String {
        name.split(separator: ".").joined(separator: "/")
    }

    // MARK: Libraries

    /// The folder beside a flow in which LuaRocks installs modules.
    package static let libraryFolder = "lua_modules/share/lua/5.4/"
    /// The name in messages of the folders of shared libraries, which no module has.
    package static let sharedFolder = "(lib)/"

    package static func isLibrary(_ file: String) -> Bool {
        file.hasPrefix("lua_modules/") || file.hasPrefix(sharedFolder)
    }

    /// The files that a module may be in, in search order. A library's file is also found by path.
    package static func files(of name: String) -> [String] {
        if name.contains("/") { return [name] }
        return ["", libraryFolder, sharedFolder].flatMap { folder in
            [folder + file(of: name), "\(folder)\(path(of: name))/init.lua"]
        }
    }
}
