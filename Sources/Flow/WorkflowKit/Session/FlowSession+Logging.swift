public import WorkflowLua

extension FlowSession {
    /// Logs values at lines of the flow in past steps, as if they had been logged at the time.
    ///
    /// The steps are replayed in a copy, which takes about three times as long as the flow took for them. The
    /// replay changes nothing, emits no events, and drops what the flow prints. The latest inputs that failed after
    /// one of the steps are replayed too, except those that a time limit or an interrupt ended.
    ///
    /// - Parameters:
    ///   - points: The lines, and what to log.
    ///   - steps: The numbers of the steps; 0 is the beginning.
    ///   - onHit: Called with each hit, in order, during the replay. It must not call the session.
    /// - Throws: A `FlowError` for a point whose file is not the flow's or whose expression is invalid, for steps
    ///   that do not exist, and if it is interrupted.
    public func log(
        _ points: [LogPoint], steps: ClosedRange<Int>, onHit: (LogHit) -> Void
    ) throws(FlowError) {
        try withoutActuallyEscaping(onHit) { (onHit) throws(FlowError) in
            let recorder = try makeRecorder(of: points, from: steps.lowerBound, onHit: onHit)
            var first = steps.lowerBound
            for failed in player.timeline.failedInputs where steps.contains(failed.after) {
                try play(first, through: failed.after, recorder)
                first = failed.after + 1
                (recorder.step, recorder.failure) = (first, failed.number)
                let played = try player.replay(failed.input, after: failed.after, recorder.trace)
                recorder.failure = nil
                if let error = played.failure, error.code == .interrupted { throw error }
            }
            try play(first, through: steps.upperBound, recorder)
        }
    }

    /// Plays steps again for a recorder; none if the last one comes before the first.
    private func play(
        _ first: Int, through last: Int, _ recorder: LogRecorder
    ) throws(FlowError) {
        guard first <= last else { return }
        recorder.step = first
        var interruption: FlowError?
        try player.replay(first...last, recorder.trace) { step in
            recorder.step = step.step + 1
            if step.failure?.code == .interrupted { interruption = step.failure }
            return interruption == nil
        }
        if let interruption { throw interruption }
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
            player.settle()
            guard let checkpoint = player.checkpoint() else { throw .closed }
            try Rehearsal(
                of: player, from: checkpoint, byCodeOfNow: true, tracing: recorder.trace
            ).end()
        }
        return hits
    }

    /// Writes the same down in what is played from now on by
    /// ``FlowRecording/replay(in:inputs:skipping:onStep:)``.
    ///
    /// - Parameter onHit: Called on the session with each hit, in order.
    /// - Returns: Where the points are: one in a line without code is at the next line with some.
    /// - Throws: As ``log(_:steps:onHit:)``.
    package func startLogging(
        _ points: [LogPoint], onHit: @escaping @Sendable (LogHit) -> Void
    ) throws(FlowError) -> [FlowError.Location] {
        let recorder = try makeRecorder(of: points, from: stepCount, onHit: onHit)
        self.recorder = recorder
        return recorder.places
    }

    /// Has time stand still, as it does while a recording is replayed; `nil` has it pass again.
    package func stopTime(at milliseconds: Int?) { log.stoppedTime = milliseconds }

    /// The first steps, as far as other files played them that are not here any more; `nil` if all
    /// can be replayed.
    public var lostSteps: ClosedRange<Int>? {
        let first = player.timeline.firstReplayable
        return first > 0 ? 0...first - 1 : nil
    }

    /// Plays an input of a recording, with what is to be logged.
    func play(_ step: FlowRecording.Step) throws(FlowError) {
        guard let recorder else { return try play(step.input) }
        // The process of the scripts may have ended with an earlier input.
        player.reviveFlow()
        guard let flow = player.flow else { return try play(step.input) }
        recorder.step = step.number
        if !step.isStep { recorder.failureCount += 1 }
        recorder.failure = step.isStep ? nil : recorder.failureCount
        try flow.setTrace(recorder.trace)
        defer { try? flow.setTrace(nil) }
        try play(step.input)
    }

    private func makeRecorder(
        of points: [LogPoint], from step: Int, onHit: @escaping (LogHit) -> Void
    ) throws(FlowError) -> LogRecorder {
        guard let flow = player.flow else { throw .closed }
        return try LogRecorder(
            points, of: flow, limits: options.limits, secrets: secrets,
            step: step, onHit: onHit)
    }
}
