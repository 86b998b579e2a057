import WorkerKit
import WorkflowLua

/// The sorted paths that begin with a text. Folders end in a slash.
///
/// A hidden file is left out unless the text holds the beginning of its name.
func pathCompletions(of text: String) -> [String] {
    let folder = text.lastIndex(of: "/").map { String(text[...$0]) } ?? ""
    let start = text.dropFirst(folder.count)
    let names = (try? fileNames(in: folder.isEmpty ? "." : folder).get()) ?? []
    return names.filter { $0.hasPrefix(start) && (!start.isEmpty || !$0.hasPrefix(".")) }
        .map { folder + $0 + (FilePath.isFolder(folder + $0) ? "/" : "") }.sorted()
}
