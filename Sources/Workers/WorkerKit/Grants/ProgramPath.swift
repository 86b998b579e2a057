/// A program given as a path, as grants are compared: by its file and its name. The name counts
/// because one file may be many programs: if `ls` and `sh` are links to the same file, a permission
/// for the first does not extend to the second.
struct ProgramPath: Hashable {
    /// The absolute path without links, which is started.
    let file: String
    /// The absolute path with only the links to its folder followed.
    let path: String

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
        path = FilePath.absolute(String(name), from: place)
    }

    static func isPath(_ text: String) -> Bool { text.utf8.contains(UInt8(ascii: "/")) }

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
