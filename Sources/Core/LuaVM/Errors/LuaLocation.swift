import CLuaBridge

/// A location in a script.
public struct LuaLocation: Sendable, Hashable, CustomStringConvertible {
    /// The name of the chunk, such as `todo.lua`.
    public var chunk: String
    /// The line, counted from 1; 0 when it is not known.
    public var line: Int

    /// Makes a location from a chunk's name and a line.
    ///
    /// ```swift
    /// print(LuaLocation(chunk: "todo.lua", line: 12))  // todo.lua:12
    /// ```
    public init(chunk: String, line: Int) {
        self.chunk = chunk
        self.line = line
    }

    /// The text `todo.lua:12`, or the chunk alone if the line is not known.
    public var description: String { line > 0 ? "\(chunk):\(line)" : chunk }
}

extension LuaLocation {
    init?(_ location: lb_location) {
        guard location.line > 0 else { return nil }
        self.init(
            chunk: String(location.chunk, location.chunk_length), line: Int(location.line))
    }
}
