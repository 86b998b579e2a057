import PlainValue
import Workflow
package import WorkflowKit
package import WorkflowLua

extension FlowSession {
    /// How many bytes of a recording are told.
    private static let longestRecording = 64 << 20

    /// The options and the beginning of another session that plays the same flow, in which workers do nothing.
    func copyOfBeginning() throws(FlowError) -> (
        source: FlowSource, options: FlowOptions, snapshot: FlowSnapshot?
    ) {
        guard let source = player.source, let header = player.header, player.flow != nil else {
            throw FlowError(.misuse, "the session is closed")
        }
        guard options.keepsTimeline else {
            throw FlowError(.misuse, "this session keeps no timeline")
        }
        var options = options
        options.props = header.props
        options.refusals = player.origin?.refusals ?? []
        options.flowName = header.flow
        options.runsWorkers = false
        options.journal = nil
        options.onInput = nil
        options.onAccess = nil
        options.secrets = secrets.names
        var snapshot: FlowSnapshot?
        if let document = header.snapshot {
            snapshot = try FlowSnapshot(document: document)
            snapshot?.isLenient = true
        }
        return (source, options, snapshot)
    }

    /// Plays all inputs up to the step that is shown again, aside, with all that happens told.
    ///
    /// - Parameters:
    ///   - onEvent: Called with each event.
    ///   - onStep: Called after each input.
    private func replayAside(
        _ onEvent: @escaping (FlowEvent) -> Void, onStep: (FlowInput) throws(FlowError) -> Void
    ) throws(FlowError) {
        let (source, options, snapshot) = try copyOfBeginning()
        let log = FlowEventLog(now: options.now, journal: nil, onEvent: onEvent)
        let copy = FlowPlayer(
            options: options, log: log, workers: SilentWorkers(),
            owner: self)
        defer { copy.abandon() }
        let inputs = inputs.prefix(step)
        log.stoppedTime = inputs.first?.milliseconds
        try copy.open(source, restoring: snapshot)
        for input in inputs {
            log.stoppedTime = input.milliseconds
            // An input that failed then fails again.
            do throws(FlowError) { try copy.play(input) } catch {}
            try onStep(input)
        }
    }

    /// A recording of the session from its beginning to the step that is shown, by the code as it is now.
    package func recordingText() throws(FlowError) -> String { try recordingText(hiding: secrets) }

    /// The same without what is secret.
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

    /// A test in Lua that does what was done up to the step that is shown.
    func testText(hiding secrets: SecretTexts) throws(FlowError) -> String {
        guard let header = player.header, header.snapshot == nil else {
            throw FlowError(
                .misuse, "the session went on from a snapshot, which a test cannot do",
                help: "export the recording instead")
        }
        var writer = TestWriter(
            flow: header.flow, module: header.file?.moduleOfPath ?? header.flow,
            title: "goes as it went", props: header.props,
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

/// What came of one input.
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

extension String {
    /// The module that a file is for tests beside it.
    fileprivate var moduleOfPath: String {
        let name = split(separator: "/").last.map(String.init) ?? self
        return name.hasSuffix(".lua") ? String(name.dropLast(4)) : name
    }
}
