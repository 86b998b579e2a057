// What the examples of sessions, recordings and the protocol take for granted.
import FlowProtocol
import WorkflowKit

enum ProtocolClientExamples {
    static var client: ProtocolClient { given() }
}

enum FlowRecordingExamples {
    static var recording: FlowRecording { given() }
}

enum FlowRecordingReplayExamples {
    static var recording: FlowRecording { given() }
    static var replayed: FlowSession { given() }
}

enum FlowSessionExamples {
    static var inputs: [FlowInput] { given() }
    static var snapshot: FlowSnapshot { given() }
}
