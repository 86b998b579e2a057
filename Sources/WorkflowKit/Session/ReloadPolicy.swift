/// What becomes of a session's state when the files of its flow are loaded again.
public enum ReloadPolicy: Sendable, Hashable {
    /// Nodes keep the states that they have, and workers that are declared as before keep running.
    case keepingState
    /// The session is played again from its beginning with the new code, input by input, as if that had been the code
    /// all along. Workers start anew, and timers go on where they were. Inputs that the new code refuses change nothing
    /// and are told of; they stay in the timeline, for the next time.
    case replayingInputs
}
