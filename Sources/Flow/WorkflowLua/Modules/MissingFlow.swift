import PlainValue

extension FlowError {
    /// The error for a path that is not a flow's file, with the flow that may be meant.
    static func missingFlow(_ path: String) -> FlowError {
        guard let near = flow(near: path) else {
            return FlowError(resolvedPath(path) == nil ? .noFlow : .noFlowButFolder, path)
        }
        return FlowError(resolvedPath(path) == nil ? .nearFlow : .folderOfFlow, path, near)
    }

    /// The path of the flow that a path most likely stands for: one that lacks `.lua` or is
    /// misspelt, or a flow in the folder at the path.
    package static func flow(near path: String) -> String? {
        let isFolder = resolvedPath(path) != nil
        let folder = isFolder ? path : path.folderOfPath
        let names = (try? fileNames(in: folder.isEmpty ? "." : folder).get()) ?? []
        let flows = names.filter { $0.hasSuffix(".lua") && !$0.hasSuffix("_test.lua") }
        let wanted = path.nameOfPath.withoutLua + ".lua"
        let near =
            flows.first { $0 == wanted } ?? (isFolder ? flows.first : nil)
            ?? nearestName(to: wanted, among: flows)
        let start = folder.isEmpty ? "./" : folder.hasSuffix("/") ? folder : folder + "/"
        return near.map { start + $0 }
    }
}
