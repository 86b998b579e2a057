public import WorkflowLua

extension FlowSession {
    /// Writes down what was so at lines of the flow, in steps that have been, as if it had been logged then.
    ///
    /// The steps are played again aside, which takes about three times as long as the flow took for them. Nothing is
    /// changed by it, nobody is told of it, and what the flow prints is not told again.
    ///
    /// - Parameters:
    ///   - points: The lines, and what to write.
    ///   - steps: The numbers of the steps; 0 is the beginning.
    ///   - onHit: Called with each hit, in order, while the steps are played. It asks nothing of the session.
    /// - Throws: A `FlowError` for a point whose file is not the flow's or whose expression is none, for steps that there
    ///   are not, and if the scripts run in a process of their own.
    public func log(
        _ points: [LogPoint], steps: ClosedRange<Int>, onHit: (LogHit) -> Void
    ) throws(FlowError) {
        try withoutActuallyEscaping(onHit) { (onHit) throws(FlowError) in
            let recorder = try makeRecorder(of: points, from: steps.lowerBound, onHit: onHit)
            try player.retrace(steps, recorder.trace) { step in
                recorder.step = step.number + 1
                return true
            }
        }
    }

    /// What would have been logged, as a list; see ``log(_:steps:onHit:)``.
    package func log(
        _ points: [LogPoint], steps: ClosedRange<Int>
    ) throws(FlowError) -> [LogHit] {
        var hits: [LogHit] = []
        try log(points, steps: steps) { hits.append($0) }
        return hits
    }

    /// What is so at lines of the flow while what is shown is rendered anew, aside.
    package func logRendering(_ points: [LogPoint]) throws(FlowError) -> [LogHit] {
        var hits: [LogHit] = []
        try withoutActuallyEscaping({ hits.append($0) }) { (onHit) throws(FlowError) in
            let recorder = try makeRecorder(of: points, from: player.step, onHit: onHit)
            try player.lookBack { past throws(FlowError) in
                guard let checkpoint = player.checkpoint() else { throw .closed }
                try past.flow.setTrace(recorder.trace)
                defer { try? past.flow.setTrace(nil) }
                try past.with(checkpoint) { _ in }
            }
        }
        return hits
    }

    /// Writes the same down in what is played from now on by ``FlowRecording/replay(in:steps:onStep:)``.
    ///
    /// - Parameter onHit: Called on the session with each hit, in order.
    /// - Throws: As ``log(_:steps:onHit:)``.
    package func startLogging(
        _ points: [LogPoint], onHit: @escaping @Sendable (LogHit) -> Void
    ) throws(FlowError) {
        recorder = try makeRecorder(of: points, from: stepCount, onHit: onHit)
    }

    /// Plays an input of a recording, with what is to be logged.
    func play(_ input: FlowInput, asStep number: Int) throws(FlowError) {
        guard let recorder, let flow = player.flow else { return try play(input) }
        recorder.step = number
        try flow.setTrace(recorder.trace)
        defer { try? flow.setTrace(nil) }
        try play(input)
    }

    private func makeRecorder(
        of points: [LogPoint], from step: Int, onHit: @escaping (LogHit) -> Void
    ) throws(FlowError) -> LogRecorder {
        try LogRecorder(
            points, files: player.flow?.files ?? [], limits: options.limits, secrets: secrets,
            step: step, onHit: onHit)
    }
}
