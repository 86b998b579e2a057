import WorkerKit
import WorkflowLua

/// The paths that begin with a text, folders with a slash at their ends, sorted.
///
/// Hidden files are offered to those who ask for them.
func pathCompletions(of text: String) -> [String] {
    let folder = text.lastIndex(of: "/").map { String(text[...$0]) } ?? ""
    let start = text.dropFirst(folder.count)
    let names = (try? fileNames(in: folder.isEmpty ? "." : folder).get()) ?? []
    return names.filter { $0.hasPrefix(start) && (!start.isEmpty || !$0.hasPrefix(".")) }
        .map { folder + $0 + (FilePath.isFolder(folder + $0) ? "/" : "") }.sorted()
}
