import PlainValue
import WorkflowKit
import WorkflowLua

extension FlowSession {
    /// A Lua test that repeats the inputs up to the shown step.
    func testText(hiding secrets: SecretTexts) throws(FlowError) -> String {
        guard let header = past.header, header.snapshot == nil else {
            throw FlowError(.testOfSnapshot)
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
