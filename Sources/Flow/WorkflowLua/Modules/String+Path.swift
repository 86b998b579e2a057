// The parts of a path.
extension String {
    /// The folder of a path, without a slash at its end; empty for a name alone.
    package var folderOfPath: String {
        guard let slash = lastIndex(of: "/") else { return "" }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    package var nameOfPath: String { split(separator: "/").last.map(String.init) ?? self }

    package var withoutLua: String { hasSuffix(".lua") ? String(dropLast(4)) : self }
}
