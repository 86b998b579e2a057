extension String {
    /// The text as one word of a shell, in quotes if it needs them.
    package var shellQuoted: String {
        let isPlain = utf8.allSatisfy { $0.isAlphanumeric || "+,-./:=_".utf8.contains($0) }
        guard isEmpty || !isPlain else { return self }
        return "'"
            + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
            + "'"
    }
}
