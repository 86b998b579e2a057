public import WorkflowLua

extension FlowSession {
    /// Logs values at lines of the flow in past steps, as if they had been logged at the time.
    ///
    /// The steps are replayed in a copy, which takes about three times as long as the flow took.
    /// That changes nothing, emits no events, and drops what the flow prints. The latest inputs
    /// that failed after one of them are replayed too, unless a limit or an interrupt ended them.
    ///
    /// ```swift
    /// var point = LogPoint(file: "todo.lua", line: 26, text: "{item.text}")
    /// point.condition = "item.id > 1"
    /// try await session.log([point], steps: 0...3) { hit in print(hit.step, hit.call) }
    /// ```
    ///
    /// - Important: `onHit` must not call the session.
    /// - Parameters:
    ///   - points: The lines, with the texts to log.
    ///   - steps: The numbers of the steps; 0 is the beginning.
    ///   - onHit: Called with each hit, in order, during the replay.
    /// - Throws: A `FlowError` for a point whose file is not the flow's or whose expression is
    ///   invalid, for steps that do not exist, and if it is interrupted.
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

    private func play(_ first: Int, through last: Int, _ recorder: LogRecorder) throws(FlowError) {
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

    package func log(_ points: [LogPoint], steps: ClosedRange<Int>) throws(FlowError) -> [LogHit] {
        var hits: [LogHit] = []
        try log(points, steps: steps) { hits.append($0) }
        return hits
    }

    /// Logs values at lines of the flow while the shown step is rendered again in a copy.
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

    /// Logs values at lines of the flow during the next
    /// ``FlowRecording/replay(in:inputs:skipping:onStep:)``.
    ///
    /// - Parameter onHit: Called on the session with each hit, in order.
    /// - Returns: The places of the points, each moved to the next line with code.
    package func startLogging(
        _ points: [LogPoint], onHit: @escaping @Sendable (LogHit) -> Void
    ) throws(FlowError) -> [FlowError.Location] {
        let recorder = try makeRecorder(of: points, from: stepCount, onHit: onHit)
        self.recorder = recorder
        return recorder.places
    }

    /// Stops the session's time, as in the replay of a recording; `nil` makes it run again.
    package func stopTime(at milliseconds: Int?) { log.stoppedTime = milliseconds }

    /// The first steps, if they cannot be replayed because the files that played them are not
    /// loaded any more; `nil` if all steps can be replayed.
    public var lostSteps: ClosedRange<Int>? {
        let first = player.timeline.firstReplayable
        return first > 0 ? 0...first - 1 : nil
    }

    /// Plays an input of a recording, with the log points of ``startLogging(_:onHit:)``.
    func play(_ step: FlowRecording.Step) throws(FlowError) {
        guard let recorder else { return try play(step.input) }
        // The process of the scripts may have ended with an earlier input.
        player.reviveFlow()
        guard let flow = player.flow else { return try play(step.input) }
        recorder.step = step.number
        if !step.isStep { recorder.failureCount += 1 }
        recorder.failure = step.isStep ? nil : recorder.failureCount
        try flow.setTrace(recorder.trace)
        // Only a process that has ended refuses this, and its trace has ended with it.
        defer { try? flow.setTrace(nil) }
        try play(step.input)
    }

    private func makeRecorder(
        of points: [LogPoint], from step: Int, onHit: @escaping (LogHit) -> Void
    ) throws(FlowError) -> LogRecorder {
        guard let flow = player.flow else { throw .closed }
        return try LogRecorder(
            points, of: flow, limits: options.limits, secrets: secrets, step: step, onHit: onHit)
    }
}
