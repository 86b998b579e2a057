extension FlowError.Location: CustomStringConvertible {
    /// The place as terminals and editors open it: `Examples/todo/todo.lua:12`.
    public var description: String {
        let file = path ?? file
        return line > 0 ? "\(file):\(line)" : file
    }

    /// The place in a file of a flow that stands in a folder, as seen from where the folder is named.
    package func inFolder(_ folder: String) -> FlowError.Location {
        // What was typed has no file, and a file that cannot be read has its path already.
        guard !folder.isEmpty, file.hasSuffix(".lua"), !file.hasPrefix("/") else { return self }
        var location = self
        location.path = folder == "/" ? "/\(file)" : "\(folder)/\(file)"
        return location
    }
}

extension FlowError {
    /// The error with its places in the files of a flow that stands in a folder.
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
