/// The reply to a line.
package struct REPLReply: Sendable {
    package var messages: [REPLMessage] = []
    package var clearsScreen = false
    /// True if the text is shown a screen at a time.
    package var isPaged = false
    /// True if the line was the last one.
    package var isOver = false
    package var hasFailed = false
}
