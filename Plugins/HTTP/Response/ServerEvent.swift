/// An event that a server has sent, as flows receive it.
struct ServerEvent: Codable, Sendable, Equatable {
    /// The last `id` that the server gave, with this event or before it.
    var id: String?
    /// The name; `message` unless the server gives another.
    var event: String
    var data: String
    /// After how many milliseconds to connect again, if the server has said so by now.
    var retry: Int?
}
