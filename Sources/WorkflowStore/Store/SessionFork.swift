/// A session that begins with the inputs of another one.
public struct SessionFork: Sendable, Hashable {
    /// What it is called: text of 1 to 200 bytes without control characters.
    public var id: String
    /// The last step whose input it has; by default the one at which the other session stands.
    public var step: Int?
    /// The request that asks for it.
    public var request: RequestKey?
    /// The time, in milliseconds since 1970.
    public var milliseconds: Int

    /// A fork from its parts.
    public init(id: String, step: Int? = nil, request: RequestKey? = nil, milliseconds: Int) {
        self.id = id
        self.step = step
        self.request = request
        self.milliseconds = milliseconds
    }
}
