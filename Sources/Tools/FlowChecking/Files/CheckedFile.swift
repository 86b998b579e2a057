import LuaSyntax
import LuaVM
import WorkflowLua

final class CheckedFile {
    enum Kind {
        /// Returns a definition.
        case flow
        /// Returns a value that flows require.
        case module
        case test
        /// Belongs to a library, of which only the syntax is looked at.
        case library
    }

    /// The path as the user would write it.
    let path: String
    /// The absolute path with links resolved.
    let resolved: String
    let bytes: [UInt8]
    /// The parsed text; nil if it could not be parsed.
    let source: LuaSource?
    /// The definition that it returns, as far as the text shows it.
    let shape: FlowShape?
    var kind: Kind
    /// The folder for its `require`, as the user would write it and as an absolute path.
    var base: (path: String, resolved: String)
    /// True if this is a module that only tests require.
    var isForTests = false
    /// The action types of its definition; nil if they are uncertain.
    var actions: KnownActions?

    init(path: String, resolved: String, bytes: [UInt8], isLibrary: Bool = false) {
        self.path = path
        self.resolved = resolved
        self.bytes = bytes
        source = isLibrary ? nil : try? LuaSource(bytes)
        shape = source.flatMap { FlowShape($0) }
        if isLibrary {
            kind = .library
        } else if path.hasSuffix("_test.lua") {
            kind = .test
        } else {
            kind = shape?.isFlow == true ? .flow : .module
        }
        base = (path.folderOfPath, resolved.folderOfPath)
    }

    var name: String { path.nameOfPath }

    /// The path relative to its flow's folder.
    var nameInBase: String {
        let prefix = base.resolved == "/" ? "/" : base.resolved + "/"
        return resolved.hasPrefix(prefix) ? String(resolved.dropFirst(prefix.count)) : name
    }

    var requiredNames: [String] { source?.calls.compactMap(\.requiredModule) ?? [] }

    /// The names of all fields that the text has.
    var names: [String] {
        guard let source else { return [] }
        return source.fields.map(\.name) + source.tables.flatMap(\.names)
    }

    /// True if the text only describes types for editors.
    static func isMeta(_ bytes: [UInt8]) -> Bool {
        bytes.dropFirst(LuaVM.byteOrderMarkLength(of: bytes)).starts(with: "---@meta".utf8)
    }

    /// The path of a file in the flow's folder, as the user would write it.
    func pathInBase(_ file: String) -> String {
        base.path.isEmpty ? file : base.path == "/" ? "/" + file : "\(base.path)/\(file)"
    }
}

struct KnownActions {
    let flow: String
    let types: [String]

    /// The objection to an action type; nil if the definition has it.
    func objection(to type: String) -> String? {
        if types.contains(type) { return nil }
        if types.isEmpty { return "\(flow) has no actions, so no '\(type)'" }
        return "\(flow) has no action '\(type)'"
            + suggestion(for: type, among: types, noun: "actions")
    }
}
