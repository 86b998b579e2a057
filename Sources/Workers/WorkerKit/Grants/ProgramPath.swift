/// A program that is given as a path, as grants compare it: by the file that it leads to, and by its
/// name.
///
/// The name counts because one file may be many programs: where `ls` and `sh` are links to the same
/// file, a permission for the first is none for the second.
struct ProgramPath: Hashable {
    /// The absolute path without links; what to start.
    let file: String
    /// The absolute path with links followed in its folder only.
    let path: String

    /// Nil unless there is such a file.
    init?(_ text: String, from folder: String) {
        guard let file = FilePath.resolve(text, from: folder), FilePath.realPath(of: file) == file,
            let slash = text.lastIndex(of: "/")
        else { return nil }
        let name = text[text.index(after: slash)...]
        let parent = String(text[...slash])
        guard !name.isEmpty, name != ".", name != "..",
            let place = FilePath.resolve(parent, from: folder)
        else { return nil }
        self.file = file
        path = (place == "/" ? "" : place) + "/" + name
    }

    /// Whether a text is a path rather than the name of a program.
    static func isPath(_ text: String) -> Bool { text.utf8.contains(UInt8(ascii: "/")) }

    /// Whether a permission for `granted` allows this.
    func isAllowed(by granted: String, from folder: String) -> Bool {
        guard Self.isPath(granted), let other = ProgramPath(granted, from: folder) else {
            return false
        }
        return file == other.file && path.lastName == other.path.lastName
    }
}

extension String {
    fileprivate var lastName: Substring { self[(lastIndex(of: "/") ?? startIndex)...] }
}
