extension FlowError.Location: CustomStringConvertible {
    /// The location in the form that terminals and editors open: `Examples/todo/todo.lua:12`.
    public var description: String {
        let file = path ?? file
        return line > 0 ? "\(file):\(line)" : file
    }

    /// The location with the path of its file, for a flow in a folder.
    package func inFolder(_ folder: String) -> FlowError.Location {
        // A typed text has no file, and a file that cannot be read has its path already.
        guard !folder.isEmpty, file.hasSuffix(".lua"), !file.hasPrefix("/") else { return self }
        var location = self
        location.path = folder == "/" ? "/\(file)" : "\(folder)/\(file)"
        return location
    }
}

extension FlowError {
    /// The error with the paths of its files, for a flow in a folder.
    package func inFolder(_ folder: String) -> FlowError {
        guard !folder.isEmpty else { return self }
        var error = self
        error.location = location?.inFolder(folder)
        error.frames = frames.map { frame in
            Frame(location: frame.location.inFolder(folder), function: frame.function)
        }
        return error
    }
}
