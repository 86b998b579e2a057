import LuaSyntax
import LuaVM
import WorkflowLua

/// A Lua file that is checked.
final class CheckedFile {
    enum Kind {
        /// Returns a definition.
        case flow
        /// Returns something that flows require.
        case module
        /// Holds tests.
        case test
    }

    /// The path as the user would write it.
    let path: String
    /// The absolute path, links followed.
    let resolved: String
    let bytes: [UInt8]
    /// The parsed text; nil where it was not understood.
    let source: LuaSource?
    /// The definition that it returns, as far as its text tells.
    let shape: FlowShape?
    var kind: Kind
    /// The folder that its `require` reaches, as the user would write it and absolute.
    var base: (path: String, resolved: String)
    /// The types of action that its definition knows; nil where that is not certain.
    var actions: KnownActions?

    init(path: String, resolved: String, bytes: [UInt8]) {
        self.path = path
        self.resolved = resolved
        self.bytes = bytes
        source = try? LuaSource(bytes)
        shape = source.flatMap { FlowShape($0) }
        if path.hasSuffix("_test.lua") {
            kind = .test
        } else {
            kind = shape?.isFlow == true ? .flow : .module
        }
        base = (path.folderOfPath, resolved.folderOfPath)
    }

    /// The name of the file without its folder.
    var name: String { path.nameOfPath }

    /// The path from the folder of the flow that it belongs to.
    var nameInBase: String {
        let prefix = base.resolved == "/" ? "/" : base.resolved + "/"
        return resolved.hasPrefix(prefix) ? String(resolved.dropFirst(prefix.count)) : name
    }

    /// True if a text only describes types for editors.
    static func isMeta(_ bytes: [UInt8]) -> Bool {
        bytes.dropFirst(LuaVM.byteOrderMarkLength(of: bytes)).starts(with: "---@meta".utf8)
    }

    /// The path of a file in the folder of the flow, as the user would write it.
    func pathInBase(_ file: String) -> String {
        base.path.isEmpty ? file : base.path == "/" ? "/" + file : "\(base.path)/\(file)"
    }
}

/// The types of action that a definition knows.
struct KnownActions {
    /// The name of the definition.
    let flow: String
    let types: [String]

    /// The objection to an action of another type; nil if it knows this one.
    func objection(to type: String) -> String? {
        if types.contains(type) { return nil }
        if types.isEmpty { return "\(flow) has no actions, so no '\(type)'" }
        return "\(flow) has no action '\(type)'"
            + suggestion(for: type, among: types, noun: "actions")
    }
}
