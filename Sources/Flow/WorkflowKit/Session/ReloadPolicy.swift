/// The ways in which a session keeps its state when the files of its flow are reloaded.
public enum ReloadPolicy: Sendable, Hashable {
    /// Nodes keep their states, and workers that are declared as before keep running.
    case keepingState
    /// The inputs of the session are replayed from the beginning with the new code. Workers start
    /// again, and timers continue where they were. Inputs that the new code refuses change nothing
    /// and are reported. They stay in the timeline for the next reload.
    case replayingInputs
}
