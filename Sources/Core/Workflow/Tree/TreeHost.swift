/// The side of a host that its tree knows.
@usableFromInline
class AnyTreeHost {
    /// True if ``deliverOutputs()`` has something to do.
    @exclusivity(unchecked)
    @usableFromInline final var hasOutputs = false
    /// True if ``publish()`` has something to do.
    @exclusivity(unchecked)
    final var hasListeners = false

    @exclusivity(unchecked)
    final var onProcessed: ((SendOutcome) -> Void)?

    @exclusivity(unchecked)
    final var onWork: (() -> Void)?

    @usableFromInline
    init() {}

    /// Renders the root and, if the pass is good, keeps its rendering.
    func renderRoot() {}
    func publish() {}
    func deliverOutputs() {}
    func dropOutputs() {}
    /// Ends the streams: the tree has ended.
    func finish() {}
}

/// The typed part of a host that its tree refers to: the rendering, the outputs and the listeners.
@usableFromInline
final class TreeHost<W: Workflow>: AnyTreeHost {
    /// The tree releases this when it ends the root.
    @usableFromInline unowned(unsafe) let root: Node<W>
    @exclusivity(unchecked)
    @usableFromInline var rendering: W.Rendering
    @exclusivity(unchecked)
    @usableFromInline var outputs: [W.Output] = []
    /// Renders the root into `rendering`; made where the types are known, so it is specialised.
    private let render: (TreeHost<W>) -> Void
    @exclusivity(unchecked)
    var onRendering: ((W.Rendering) -> Void)?
    @exclusivity(unchecked)
    var onOutput: ((W.Output) -> Void)? {
        didSet { if let onOutput { for output in drainEarlyOutputs() { onOutput(output) } } }
    }
    /// True while the host is being made, so that nobody can listen yet.
    @exclusivity(unchecked)
    @usableFromInline var isBeingMade = true
    /// The outputs of the root while the host was being made, for the first listener.
    private var earlyOutputs: [W.Output] = []
    @exclusivity(unchecked)
    private var renderingStreams = HostStreams<W.Rendering>(policy: .bufferingNewest(1))
    @exclusivity(unchecked)
    private var outputStreams = HostStreams<W.Output>(policy: .unbounded)

    @usableFromInline
    init(root: Node<W>, rendering: W.Rendering, render: @escaping (TreeHost<W>) -> Void) {
        self.root = root
        self.rendering = rendering
        self.render = render
        super.init()
        root.route = TypedRoute(HostRoute(host: self))
    }

    override func renderRoot() { render(self) }

    func makeRenderingStream() -> HostStream<W.Rendering> {
        hasListeners = true
        return renderingStreams.make(first: rendering)
    }

    func makeOutputStream() -> HostStream<W.Output> {
        let stream = outputStreams.make(first: nil)
        for output in drainEarlyOutputs() { outputStreams.yield(output) }
        return stream
    }

    private func drainEarlyOutputs() -> [W.Output] {
        let early = earlyOutputs
        if !early.isEmpty { earlyOutputs = [] }
        return early
    }

    override func finish() {
        renderingStreams.finish()
        outputStreams.finish()
    }

    override func publish() {
        renderingStreams.yield(rendering)
        onRendering?(rendering)
        hasListeners = onRendering != nil || !renderingStreams.isEmpty
    }

    override func deliverOutputs() {
        assert(hasOutputs && !outputs.isEmpty)
        let ready = outputs
        dropOutputs()
        if isBeingMade {
            earlyOutputs += ready
            return
        }
        for output in ready {
            outputStreams.yield(output)
            onOutput?(output)
        }
    }

    override func dropOutputs() {
        outputs.removeAll(keepingCapacity: true)
        hasOutputs = false
    }
}

private struct HostRoute<W: Workflow>: OutputRoute {
    unowned(unsafe) let host: TreeHost<W>

    static var isRenewed: Bool { false }

    func deliver(_ output: W.Output, to parent: ParentNode) {
        host.outputs.append(output)
        host.hasOutputs = true
    }
}
