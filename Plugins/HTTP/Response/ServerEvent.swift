/// A server-sent event, as flows receive it.
struct ServerEvent: Codable, Sendable, Equatable {
    /// The last `id` of the server so far.
    var id: String?
    /// The event's name; `message` by default.
    var event: String
    var data: String
    /// The delay before reconnecting in milliseconds, if the server has sent one so far.
    var retry: Int?
}
