package import PlainValue
import Synchronization
package import WorkflowKit
import WorkflowLua

/// The debugger for editors, by the Debug Adapter Protocol.
///
/// The debugger inspects a copy, so the session goes on, here or in another process, and many
/// debuggers can inspect one. ``handle(_:)`` runs requests one by one; call ``hurry(_:)`` before
/// it, so that urgent requests act at once.
package actor DebugAdapter {
    /// The settings for launched and attached sessions.
    package struct Options: Sendable {
        /// Limits and native workflows.
        package var flowOptions: FlowOptions
        /// The names of hidden variables and fields.
        package var secrets: Set<String>
        /// Opens the subject of a launch or attach request.
        package var open:
            @Sendable (_ command: String, _ arguments: Value) async throws -> any DebugSubject
        /// Makes the console's commands.
        package var console: (@Sendable (FlowHeader, FlowSource) -> any DebugConsole)?

        package init(
            flowOptions: FlowOptions, secrets: Set<String>,
            open: @escaping @Sendable (String, Value) async throws -> any DebugSubject
        ) {
            self.flowOptions = flowOptions
            self.secrets = secrets
            self.open = open
        }
    }

    let options: Options
    private let output: @Sendable (Value) -> Void
    private nonisolated let hurried = Mutex(HurriedRequests())
    private nonisolated let interruption = FlowInterrupt()
    private nonisolated let isOpening = Atomic(false)
    /// Functions that interrupt the subject, for a pause or anything else.
    private nonisolated let stops = Mutex<[@Sendable (_ isPause: Bool) -> Void]>([])
    private nonisolated let interruptConsole = Mutex<(@Sendable () -> Void)?>(nil)
    /// The last command of the console, which is answered beside the requests that follow it.
    private var command: Task<Void, Never>?
    private var lastNumber = 0

    var subject: (any DebugSubject)?
    var debugger: Debugger?
    var console: (any DebugConsole)?
    /// True if it has stopped at a moment; otherwise it waits for the session.
    var isStopped = false
    /// The last report of a stop.
    var report: Value.Record = [:]
    var stop: Stop?
    /// The breakpoints that were set before there was a session.
    var wanted = WantedBreakpoints()
    var view = StoppedView()
    let secretTexts: SecretTexts
    var arguments: Value = [:]
    var failures = StoppingFailures()
    /// True after the client's configuration.
    private var hasBegun = false
    /// True if it is to pause after the configuration.
    private var isToPause = false
    /// True if an urgent request has ended a search. The stop is reported after its answer.
    private var hasPendingStop = false
    private var hasEnded = false
    /// True after the client was told that the session has ended.
    private var isTerminated = false

    /// - Parameter output: Called with each message to the client.
    package init(_ options: Options, output: @escaping @Sendable (Value) -> Void) {
        self.options = options
        self.output = output
        secretTexts = SecretTexts(options.secrets)
    }

    // MARK: Messages

    /// Lets an urgent request act on the current work. It must still be handled in its turn.
    package nonisolated func hurry(_ request: DebugRequest) {
        let effect = hurried.withLock { $0.add(request) }
        if effect.endsCommand { interruptConsole.withLock { $0 }?() }
        guard effect.endsWork else { return }
        if !request.isPause || !isOpening.load(ordering: .relaxed) { interruption.stop() }
        for stop in stops.withLock({ $0 }) { stop(request.isPause) }
    }

    /// Ends all work, since nobody waits for it any more.
    package nonisolated func clientHasGone() { hurry(.end) }

    /// Handles a request and sends its answer.
    ///
    /// A command of the console may search for long. It is answered when it ends, and after the one
    /// before it, but other requests do not wait for it.
    ///
    /// - Returns: False after the last request.
    package func handle(_ request: DebugRequest) async -> Bool {
        hurried.withLock { $0.begin(request) }
        guard Self.isCommand(request) else {
            await respond(to: request)
            return !hasEnded
        }
        hurried.withLock { $0.add(command: request) }
        command = Task { [before = command] in
            await before?.value
            if hurried.withLock({ $0.run(command: request) }) {
                if Task.isCancelled {
                    refuse(request, "it was interrupted")
                } else {
                    await respond(to: request)
                }
            }
            hurried.withLock { $0.end(command: request) }
        }
        return true
    }

    private func respond(to request: DebugRequest) async {
        do {
            let (body, after) = try await answer(request)
            // Some clients ignore a message without a body.
            reply(to: request, ["success": true, "body": body ?? [:]])
            await after?()
        } catch {
            refuse(request, Self.sentence(error))
        }
    }

    /// Answers the command of the console that a request cancels before its turn.
    func refuseCommand(cancelledBy request: DebugRequest) {
        let command = hurried.withLock { $0.takeCancelled(by: request) }
        if let command { refuse(command, "cancelled") }
    }

    package func refuse(_ request: DebugRequest, _ message: String) {
        let format = message.replacing("{", with: "(").replacing("}", with: ")")
        reply(
            to: request,
            [
                "success": false, "message": .string(message),
                "body": ["error": ["id": 1, "format": .string(format), "showUser": true]],
            ])
    }

    private func reply(to request: DebugRequest, _ parts: Value.Record) {
        var reply = parts
        reply["type"] = "response"
        reply["request_seq"] = .int(request.number)
        reply["command"] = .string(request.command)
        send(reply)
    }

    /// Reports unreadable input to the client.
    package func complain(_ text: String) {
        tell("output", ["category": "stderr", "output": .string(text + "\n")])
    }

    static func sentence(_ error: any Error) -> String {
        // What helps against a limit is written for those who make programs.
        let help = (error as? FlowError).flatMap { $0.code.isLimit ? nil : $0.help }
        return "\(error)" + (help.map { "; \($0)" } ?? "")
    }

    func tell(_ event: String, _ body: Value.Record = [:]) {
        send(["type": "event", "event": .string(event), "body": .record(body)])
    }

    private func send(_ message: Value.Record) {
        lastNumber += 1
        var message = message
        message["seq"] = .int(lastNumber)
        output(secretTexts.masked(message: .record(message)))
    }

    /// True if a search must end because of another request.
    nonisolated var isCancelled: Bool { hurried.withLock { $0.endWork } }

    /// True if a request has come that must not wait for the session.
    private nonisolated var isHurried: Bool {
        let isOpening = isOpening.load(ordering: .relaxed)
        return hurried.withLock { isOpening ? $0.endOpening : $0.endWork }
    }

    var isCommandUnderWay: Bool { hurried.withLock(\.hasCommands) }

    // MARK: The life of a session

    func open(_ command: String, _ arguments: Value) async throws {
        guard debugger == nil else { throw FlowError(.hasSession) }
        self.arguments = arguments
        isOpening.store(true, ordering: .relaxed)
        defer { isOpening.store(false, ordering: .relaxed) }
        let subject = try await options.open(command, arguments)
        stops.withLock { $0 = [{ subject.interrupt(isPause: $0) }] }
        // The request may have come before.
        if isCancelled {
            subject.interrupt(isPause: !hurried.withLock { $0.endOpening })
        }
        let (recording, source) = try await subject.begin { [weak self] in
            self?.isHurried ?? true
        }
        let replica = try Replica(
            of: recording, source, by: subject.test, options: options.flowOptions,
            interruption: interruption, owner: self)
        secretTexts.add(from: recording.header.props)
        for (index, step) in recording.steps.enumerated() {
            guard !hurried.withLock({ $0.endOpening }) else {
                complain("it was interrupted: no more than \(index) steps are played")
                break
            }
            secretTexts.add(from: step.input)
            try replica.play(step)
        }
        self.subject = subject
        console = options.console?(recording.header, source)
        if let console { interruptConsole.withLock { $0 = { console.interrupt() } } }
        debugger = try Debugger(replica, secretTexts) { [weak self] in
            self?.isCancelled ?? true
        }
        try await take(news: try subject.takeNews(isPause: false))
        for steps in replica.lost { complain(FlowError.notReplayable(steps).message) }
        if let first = replica.firstDifference, !subject.isLive {
            complain(
                "step \(replica.inputs[first].step) is not as recorded; "
                    + "the flow may have changed since: from there on this is not what happened")
        }
        if let outcome = replica.test?.outcome {
            tell("output", ["category": "console", "output": .string(outcome + "\n")])
        }
        installBreakpoints()
        tell("initialized")
    }

    /// Starts after the client's configuration.
    func begin() async {
        guard let debugger else { return }
        hasBegun = true
        if isToPause { return await pause() }
        await reporting {
            if let step = try arguments.natural("at") {
                let input = debugger.replica.inputs.lastIndex {
                    $0.step == step && $0.testLines == nil
                }
                guard let input else { throw FlowError(.noStepToShow, step) }
                if let stop = try debugger.goToFailure(of: input) { return halt("exception", stop) }
                debugger.go(toInput: input)
                return halt("entry")
            }
            if arguments["stopOnEntry"]?.bool == true {
                try debugger.goToEnd(.backward)
                return halt("entry")
            }
            debugger.go(toInput: 0)
            debugger.moveBeforeFirstLine()
            try await run(.forward)
        }
    }

    /// Goes to the next stop, to the present, or to the end.
    func run(_ direction: Debugger.Direction) async throws {
        guard let debugger, let subject else { return }
        let found = try debugger.goToStop(direction)
        if mustEndSearch() { return }
        if let found { return halt(found) }
        switch direction {
        case .backward:
            try debugger.goToEnd(.backward)
            halt("entry", text: "the beginning")
        case .forward where subject.isLive:
            // At the present it waits for new inputs.
            isStopped = false
            await subject.release()
        case .forward:
            // It can still go back from here, so the client decides when to end.
            try debugger.goToEnd(.forward)
            halt("end", text: endText)
        }
    }

    /// The end of what has an end, in words.
    var endText: String {
        debugger?.replica.test.map { "the end: \($0.outcome)" } ?? "the end of the recording"
    }

    /// Handles new inputs of a live session.
    package func newsCame() async {
        guard let subject, debugger != nil else { return }
        await reporting { try await take(news: try subject.takeNews(isPause: false)) }
        guard let ending = subject.ending, !isTerminated else { return }
        complain(ending)
        end()
    }

    private func add(_ news: [DebuggedInput]) {
        for input in news {
            secretTexts.add(from: input.input)
            debugger?.add(input)
        }
    }

    func take(news: [DebuggedInput]) async throws {
        guard let debugger, let subject else { return }
        add(news)
        for (text, location) in await subject.takePrinted() {
            var body: Value.Record = ["category": "stdout", "output": .string(text + "\n")]
            if let location {
                body["source"] = source(location.file)
                body["line"] = .int(location.line)
            }
            tell("output", body)
        }
        let mayStop =
            debugger.hasBreakpoints || failures.areUncaught && news.contains(where: \.isFailure)
        let isInterrupted = news.contains(where: \.isInterrupted)
        if !isStopped, mayStop || isInterrupted {
            let found = try debugger.catchUp { [unowned self] in tell($0) }
            if !hasBegun {
                // The stop is found at the start.
            } else if isInterrupted, isCancelled {
                // It stops when the interrupting request is answered.
                return reviewCalls()
            } else if let found {
                debugger.go(toInput: found)
                debugger.moveBeforeFirstLine()
                if let stop = try debugger.goToStop(.forward) { halt(stop) }
            } else if isInterrupted, failures.areUncaught,
                let cut = debugger.replica.inputs.lastIndex(where: \.isCut),
                let stop = try debugger.goToFailure(of: cut)
            {
                // A limit of time. The copy has not played the input, so it has not run into it.
                halt(stop)
            }
        }
        reviewCalls()
        if !isStopped { await subject.release() }
    }

    /// Stops where a call was cut short or is under way, or at the last line. If it has stopped, it
    /// says so again: the client waits for that.
    func pause() async {
        if reportPendingStop() { return }
        isToPause = !hasBegun
        guard let subject, debugger != nil, hasBegun else { return }
        if isStopped { return tell("stopped", report) }
        await reporting {
            add(try subject.takeNews(isPause: true))
            try haltAtEnd()
        }
    }

    /// True if a request has ended a search. The stop is reported after its answer.
    func mustEndSearch() -> Bool {
        let isHere = isCancelled
        if isHere { hasPendingStop = true }
        return isHere
    }

    /// Reports the stop of an ended search; false if there was none.
    @discardableResult
    func reportPendingStop() -> Bool {
        guard hasPendingStop else { return false }
        hasPendingStop = false
        // Before all lines there is nothing to be seen.
        if let debugger, debugger.moment.line < 0 { debugger.moment.line = 0 }
        halt("pause")
        return true
    }

    private func haltAtEnd() throws {
        guard let debugger else { return }
        let last = debugger.replica.inputs.count - 1
        assert(last >= 0, "there is always the beginning")
        var stop: Stop?
        if debugger.replica.inputs[last].isCut { stop = try debugger.goToFailure(of: last) }
        // The client waits: the end of an input of millions of lines is not looked for.
        if stop == nil { try debugger.goToEnd(.forward, upTo: 8 * StepLines.most) }
        halt("pause", stop)
    }

    func end() {
        isStopped = false
        guard !isTerminated else { return }
        isTerminated = true
        tell("terminated")
        tell("exited", ["exitCode": 0])
    }

    /// Makes the next command of the console load the changed files of the flow.
    func forgetConsole() async {
        command?.cancel()
        while isCommandUnderWay {
            // Only a call that has begun is interrupted.
            console?.interrupt()
            await Task.yield()
        }
        await console?.forget()
    }

    /// Releases the subject after the client has left.
    package func close() async {
        await forgetConsole()
        await subject?.close()
        hasEnded = true
    }
}
