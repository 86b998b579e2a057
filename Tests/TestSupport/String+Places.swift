extension String {
    /// The text with only the file names of Lua files before line numbers.
    package var withoutFolders: String { replacing(#/\/[^\s]*\/(?=[a-z_]+\.lua:)/#, with: "") }
}
