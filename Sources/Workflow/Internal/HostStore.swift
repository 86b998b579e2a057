/// The typed part of a host that its tree refers to: the rendering, the outputs, and who is told.
@usableFromInline
final class HostStore<W: Workflow> {
    @exclusivity(unchecked)
    @usableFromInline var rendering: W.Rendering
    @exclusivity(unchecked)
    @usableFromInline var outputs: [W.Output] = []
    @exclusivity(unchecked)
    var onRendering: ((W.Rendering) -> Void)?
    @exclusivity(unchecked)
    var onOutput: ((W.Output) -> Void)?

    @usableFromInline
    init(rendering: W.Rendering) { self.rendering = rendering }

    @usableFromInline
    func publish() {
        onRendering?(rendering)
    }

    @usableFromInline
    func deliverOutputs() {
        guard !outputs.isEmpty else { return }
        let ready = outputs
        outputs.removeAll(keepingCapacity: true)
        for output in ready { onOutput?(output) }
    }
}
