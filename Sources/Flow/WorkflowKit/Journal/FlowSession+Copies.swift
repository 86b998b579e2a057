import PlainValue
package import WorkflowLua

extension FlowSession {
    private static let longestRecording = 64 << 20

    /// The source, settings, snapshot and inputs from which a copy without workers reaches a step.
    package func copy(through step: Int) throws(FlowError) -> (
        source: FlowSource, options: FlowOptions, snapshot: FlowSnapshot?, inputs: [FlowInput]
    ) {
        guard let source = player.source, let header = player.header, player.flow != nil else {
            throw FlowError(.closed)
        }
        guard options.keepsTimeline else { throw FlowError(.noTimeline) }
        var options = options
        options.props = header.props
        options.principal = header.principal
        options.flowName = header.flow
        options.startTime = header.startTime
        options.runsWorkers = false
        options.journal = nil
        options.onInput = nil
        options.onAccess = nil
        options.secrets = secrets.names
        let way = try player.way(to: step)
        options.refusals = way.refusals
        return (source, options, way.snapshot, way.inputs)
    }

    /// Replays the inputs up to the shown step in a separate player and passes on its events.
    package func replayAside(
        _ onEvent: @escaping (FlowEvent) -> Void, onStep: (FlowInput) throws(FlowError) -> Void
    ) throws(FlowError) {
        let (source, options, snapshot, inputs) = try copy(through: step)
        let first = step - inputs.count
        let copy = FlowPlayer(options: options, owner: self, now: options.now) { event in
            var event = event
            if case .ready(var header) = event.kind {
                header.step = first
                event.kind = .ready(header)
            }
            onEvent(event)
        }
        defer { copy.abandon() }
        copy.stoppedTime = inputs.first?.milliseconds
        try copy.open(source, restoring: snapshot)
        for input in inputs {
            copy.stoppedTime = input.milliseconds
            // An input that failed in the session fails again here.
            do throws(FlowError) { try copy.play(input) } catch {}
            try onStep(input)
        }
    }

    /// A recording up to the shown step, from the beginning or the last state that a reload kept.
    package func recordingText(hiding secrets: SecretTexts? = nil) throws(FlowError) -> String {
        let secrets = secrets ?? self.secrets
        var bytes: [UInt8] = []
        try withoutActuallyEscaping({ (event: FlowEvent) in
            bytes += TextSum.line(of: event.record(hiding: secrets))
        }) { (onEvent) throws(FlowError) in
            try replayAside(onEvent) { (_) throws(FlowError) in
                guard bytes.count <= Self.longestRecording else {
                    throw FlowError(.longRecording, Self.longestRecording >> 20)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
