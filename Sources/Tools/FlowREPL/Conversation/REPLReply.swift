/// The reply to a line.
package struct REPLReply: Sendable {
    /// The messages, in order.
    package var messages: [REPLMessage] = []
    /// True if the screen is to be cleared.
    package var clearsScreen = false
    /// True for a text that is shown a screen at a time.
    package var isPaged = false
    /// True if the line was the last one.
    package var isOver = false
    /// True if something went wrong.
    package var hasFailed = false
}
