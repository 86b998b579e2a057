/// What comes of a line.
package struct REPLReply: Sendable {
    /// What there is to say, in order.
    package var pieces: [REPLPiece] = []
    /// Whether the screen is to be cleared.
    package var clearsScreen = false
    /// Whether the line was the last one.
    package var isOver = false
    /// Whether something went wrong.
    package var hasFailed = false
}
