/// A new session with the inputs of another one.
public struct SessionFork: Sendable, Hashable {
    /// The id: 1 to 200 bytes of text without control characters.
    public var id: String
    /// The last step to copy; by default the other session's current step.
    public var step: Int?
    /// The key of the request.
    public var request: RequestKey?
    /// The time, in milliseconds since 1970.
    public var milliseconds: Int

    /// Makes a fork for a store to create.
    ///
    /// - Parameters:
    ///   - id: The new session's id: 1 to 200 bytes of text without control characters.
    ///   - step: The last step to copy; by default the other session's current step.
    ///   - request: The key under which the request may be repeated.
    ///   - milliseconds: The present time, in milliseconds since 1970.
    public init(id: String, step: Int? = nil, request: RequestKey? = nil, milliseconds: Int) {
        self.id = id
        self.step = step
        self.request = request
        self.milliseconds = milliseconds
    }
}
