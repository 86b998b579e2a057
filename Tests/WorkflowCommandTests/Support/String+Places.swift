extension String {
    /// The text with the names alone of Lua files before a line's number.
    var withoutFolders: String {
        replacing(#/\/[^\s]*\/(?=[a-z_]+\.lua:)/#, with: "")
    }
}
