/// What comes of a line.
struct REPLReply: Sendable {
    /// What there is to say, in order.
    var pieces: [REPLPiece] = []
    /// Whether the screen is to be cleared.
    var clearsScreen = false
    /// Whether the line was the last one.
    var isOver = false
    /// Whether something went wrong.
    var hasFailed = false
}
