import WorkflowLua

extension StoreError {
    /// A cause of errors as data. A call with values makes an error of it.
    package struct Reason: Sendable {
        private let code: Code
        private let reason: FlowError.Reason

        /// - Parameter sentence: Has `%0`, `%1` and so on in the places of the values, as the help.
        package init(_ code: Code, _ sentence: String, help: String? = nil) {
            self.code = code
            let reason = FlowError.Reason(.file, sentence)
            self.reason = help.map { reason.help(.init(stringLiteral: $0)) } ?? reason
        }

        package func callAsFunction(_ values: any CustomStringConvertible...) -> StoreError {
            let error = FlowError(reason, values: values.map(\.description))
            return StoreError(code, error.message, help: error.help)
        }
    }
}

// Causes of errors of sessions in stores.
extension StoreError {
    package static let notFound = Reason(.notFound, "there is no session '%0'")
    package static let exists = Reason(.exists, "there is a session '%0' already")
    static let closed = Reason(.closed, "the session '%0' is closed")
    static let closedPool = Reason(.closed, "the pool is closed")
    static let stoppedWorkers = Reason(.busy, "the workers are stopped")
    package static let conflict = Reason(
        .conflict, "the session '%0' was changed elsewhere meanwhile",
        help: "load it again, and do again what is still wanted")
    package static let damaged = Reason(
        .corrupted, "the session '%0' is damaged: %1",
        help: "restore the store from a copy, or delete the session")
    static let stuck = Reason(
        .stuck, "a call into the flow of the session '%0' does not end",
        help: """
            what was acknowledged is kept, and what was asked was not done; \
            the session can be used again when the program was started again
            """)
    static let badPage = Reason(
        .badPage, "no page of sessions ends in '%0'",
        help: "give the next of the page before, or begin with the first page")
    static let badID = Reason(
        .badID, "'%0' cannot be the id of a session",
        help: "use 1 to 200 bytes of text without control characters")
    package static let otherFiles = Reason(
        .exists, "there are other files of a flow with the hash %0 already",
        help: "change a file of the flow, if only in a comment")
    static let tooDeep = Reason(
        .notStorable, "%0 is too large or nested too deep to be kept",
        help: "values that are kept may hold lists and records 150 deep")

    // MARK: Requests

    static let badKey = Reason(
        .badKey, "'%0' cannot be the key of a request",
        help: "use 1 to 200 bytes of text without control characters")
    static let reusedKey = Reason(
        .keyReused, "another request was sent under the key '%0' before",
        help: "give each request a key of its own")
    static let givenUp = Reason(
        .givenUp, "the request was done, and its step %0 was given up since",
        help: "to do it again, send it under another key")
    static let otherStep = Reason(
        .otherStep, "the session has changed since, and stands at step %0",
        help: "look at it again, and do again what is still wanted")
    private static let unsure = Reason(
        .unknown, "what was asked of the session '%0' may be kept or not",
        help: "ask the session, or send a request that has a key again")

    package static func unknown(_ id: String, after error: StoreError? = nil) -> StoreError {
        var unknown = unsure(id)
        if let error { unknown.notes = ["\(error.message)"] + error.notes }
        return unknown
    }

    // MARK: Steps

    static let noStep = Reason(.noSuchStep, "there is no step %0", help: steps)
    static let nothingToUndo = Reason(
        .noSuchStep, "there is nothing to undo: this is the beginning", help: steps)
    static let nothingToRedo = Reason(
        .noSuchStep, "there is nothing to redo: this is the last step", help: steps)
    static let droppedStep = Reason(
        .noSuchStep,
        "there is no step %0 any more: it was compacted away, or made by other files", help: steps)
    private static let steps = "steps are counted from %1 to %2"
    private static let missingStep = Reason(
        .noSuchStep, "the session '%0' has no step %1", help: "steps from %2 to %3 are kept")

    package static func noSuchStep(_ step: Int, of id: String, kept: ClosedRange<Int>) -> StoreError
    {
        missingStep(id, step, kept.lowerBound, kept.upperBound)
    }

    // MARK: Files

    static let noFile = Reason(
        .foreign, "there is no file %0", help: "give the path of a store")
    static let noStore = Reason(
        .foreign, "%0 is not a store of sessions",
        help: "give the path of a store, or of a file that is not there yet")
    static let older = Reason(
        .foreign, "%0 was made by an older version of this library",
        help: "open it for writing once, which brings it up to date")
    static let newer = Reason(
        .newer, "%0 was made by a newer version of this library",
        help: "use that version, or another file")
    static let isThere = Reason(
        .exists, "there is a file %0 already", help: "give the path of a new file")
    static let replaced = Reason(
        .io, "%0 was replaced while it was in use",
        help: "open the store again, or put the file back that was there")
    static let damagedFile = Reason(
        .corrupted, "%0 is damaged: %1", help: "restore it from a copy")
    static let fullDisk = Reason(
        .full, "there is no space left for %0", help: "make room, and try again")
    static let busyFile = Reason(
        .busy, "%0 is kept busy by somebody else", help: "try again")
    static let unwritable = Reason(.io, "%0 cannot be written: %1")
    static let unopenable = Reason(.io, "%0 cannot be opened: %1")
    static let fault = Reason(.io, "%0: %1")
}
