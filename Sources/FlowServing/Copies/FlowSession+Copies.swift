import PlainValue
package import WorkflowKit
package import WorkflowLua

extension FlowSession {
    /// The most bytes of a recording.
    private static let longestRecording = 64 << 20

    /// The source, settings, snapshot and inputs from which a copy without workers reaches a step.
    func copy(through step: Int) throws(FlowError) -> (
        source: FlowSource, options: FlowOptions, snapshot: FlowSnapshot?, inputs: [FlowInput]
    ) {
        guard let source = player.source, let header = player.header, player.flow != nil else {
            throw FlowError(.misuse, "the session is closed")
        }
        guard options.keepsTimeline else {
            throw FlowError(.misuse, "this session keeps no timeline")
        }
        var options = options
        options.props = header.props
        options.principal = header.principal
        options.flowName = header.flow
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
    ///
    /// - Parameter onStep: Called after each input.
    private func replayAside(
        _ onEvent: @escaping (FlowEvent) -> Void, onStep: (FlowInput) throws(FlowError) -> Void
    ) throws(FlowError) {
        let (source, options, snapshot, inputs) = try copy(through: step)
        let log = FlowEventLog(now: options.now, journal: nil, onEvent: onEvent)
        let copy = FlowPlayer(
            options: options, log: log, workers: SilentWorkers(),
            owner: self)
        defer { copy.abandon() }
        log.stoppedTime = inputs.first?.milliseconds
        try copy.open(source, restoring: snapshot)
        for input in inputs {
            log.stoppedTime = input.milliseconds
            // An input that failed before fails again.
            do throws(FlowError) { try copy.play(input) } catch {}
            try onStep(input)
        }
    }

    /// A recording up to the shown step, from the beginning or from the state that the last reload
    /// kept.
    package func recordingText() throws(FlowError) -> String { try recordingText(hiding: secrets) }

    /// The same without secrets.
    func recordingText(hiding secrets: SecretTexts) throws(FlowError) -> String {
        var bytes: [UInt8] = []
        try withoutActuallyEscaping({ (event: FlowEvent) in
            bytes += TextSum.line(of: event.record(hiding: secrets))
        }) { (onEvent) throws(FlowError) in
            try replayAside(onEvent) { (_) throws(FlowError) in
                guard bytes.count <= Self.longestRecording else {
                    throw FlowError(
                        .recording,
                        "the recording is longer than \(Self.longestRecording >> 20) MB",
                        help: "record the session into a file, by --record")
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A Lua test that repeats the inputs up to the shown step.
    func testText(hiding secrets: SecretTexts) throws(FlowError) -> String {
        guard let header = player.header, header.snapshot == nil else {
            throw FlowError(
                .misuse, "the session went on from a snapshot, which a test cannot do",
                help: "export the recording instead")
        }
        var writer = TestWriter(
            flow: header.flow, module: header.file?.nameOfPath.withoutLua ?? header.flow,
            title: "goes as it went", props: header.props, principal: header.principal,
            hiding: secrets)
        let came = StepEvents()
        var first: Value? { came.firstRendering }
        try withoutActuallyEscaping({ (event: FlowEvent) in came.add(event) }) {
            (onEvent) throws(FlowError) in
            var isFirst = true
            try replayAside(onEvent) { (input) throws(FlowError) in
                if isFirst, let first { writer.begin(first) }
                isFirst = false
                writer.add(
                    input, rendering: came.rendering, outputs: came.outputs, error: came.error)
                came.removeAll()
            }
            if isFirst, let first { writer.begin(first) }
        }
        writer.isLoose = hasRunningWorkers
        return writer.text
    }
}

/// The effects of one input.
private final class StepEvents {
    private(set) var firstRendering: Value?
    private(set) var rendering: Value?
    private(set) var outputs: [Value] = []
    private(set) var error: FlowError?

    func add(_ event: FlowEvent) {
        switch event.kind {
        case .rendering(let value, _, _):
            if firstRendering == nil { firstRendering = value } else { rendering = value }
        case .output(let output): outputs.append(output)
        case .error(let failure): error = failure
        default: break
        }
    }

    func removeAll() {
        rendering = nil
        outputs = []
        error = nil
    }
}
