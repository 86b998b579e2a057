import LibC
import WorkerKit

/// What the REPL asks of the file system.
enum Files {
    /// The paths that begin with a text, folders with a slash at their ends, sorted.
    static func completions(of text: String) -> [String] {
        let slash = text.lastIndex(of: "/")
        let folder = slash.map { String(text[...$0]) } ?? ""
        let start = text.dropFirst(folder.count)
        guard let stream = opendir(folder.isEmpty ? "." : folder) else { return [] }
        defer { closedir(stream) }
        var paths: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            // Hidden files are offered to those who ask for them.
            guard name.hasPrefix(start), start.isEmpty ? !name.hasPrefix(".") : true else {
                continue
            }
            guard name != ".", name != ".." else { continue }
            paths.append(folder + name + (FilePath.isFolder(folder + name) ? "/" : ""))
        }
        return paths.sorted()
    }
}
