package import PlainValue
import Synchronization
package import WorkflowKit
import WorkflowLua

/// The debugger as editors drive it, by the Debug Adapter Protocol.
///
/// A stop is a copy: the session that is debugged goes on, in this process or in another, and many can look into one.
/// Requests are dealt with one at a time by ``handle(_:)``; what is to act at once goes through ``hurry(_:)`` before.
package actor DebugAdapter {
    /// What a launched or attached session is made from.
    package struct Settings: Sendable {
        /// Limits and native workflows.
        package var options: FlowOptions
        /// The names of variables and fields that are not shown.
        package var secrets: Set<String>
        /// Finds what a launch or an attach request means.
        package var open:
            @Sendable (_ command: String, _ arguments: Value) async throws -> any DebugSubject
        /// Makes the commands of the console.
        package var console: (@Sendable (FlowHeader, FlowSource) -> any DebugConsole)?

        package init(
            options: FlowOptions, secrets: Set<String>,
            open: @escaping @Sendable (String, Value) async throws -> any DebugSubject
        ) {
            self.options = options
            self.secrets = secrets
            self.open = open
        }
    }

    let settings: Settings
    private let output: @Sendable (Value) -> Void
    private nonisolated let hurried = Mutex(HurriedRequests())
    private nonisolated let interruption = FlowInterrupt()
    private nonisolated let isOpening = Atomic(false)
    /// Ways to stop what the subject and the console do, for a pause or for all else.
    private nonisolated let stops = Mutex<[@Sendable (_ isPause: Bool) -> Void]>([])
    private var lastNumber = 0

    var subject: (any DebugSubject)?
    var debugger: Debugger?
    var console: (any DebugConsole)?
    /// Whether it stands at a moment; else it waits for the session to go on.
    var isStopped = false
    /// Why it stopped last.
    var stop: Stop?
    /// What was asked for while there was nothing to debug yet.
    var wanted = WantedBreakpoints()
    var view = StoppedView()
    let secretTexts: SecretTexts
    var arguments: Value = [:]
    /// The failures at which the client wants to stop.
    var failures = StoppingFailures()
    /// Whether the client has said all that it wants.
    private var hasBegun = false
    /// Whether it is to pause as soon as it has.
    private var isToPause = false
    /// Whether it stands where the request that hurries found it, and says so when that is answered.
    private var owesStop = false
    private var hasEnded = false

    /// - Parameter output: Called with each message to the client.
    package init(_ settings: Settings, output: @escaping @Sendable (Value) -> Void) {
        self.settings = settings
        self.output = output
        secretTexts = SecretTexts(settings.secrets)
    }

    // MARK: Messages

    /// Lets a request that is to act at once act on what is being done; it is still to be handled in its turn.
    package nonisolated func hurry(_ request: DebugRequest) {
        guard hurried.withLock({ $0.add(request) }) else { return }
        if !request.isPause || !isOpening.load(ordering: .relaxed) { interruption.stop() }
        for stop in stops.withLock({ $0 }) { stop(request.isPause) }
    }

    /// Deals with a request and answers it.
    ///
    /// - Returns: Whether more requests are wanted.
    package func handle(_ request: DebugRequest) async -> Bool {
        hurried.withLock { $0.begin(request) }
        var reply: Value.Record = [
            "type": "response", "request_seq": .int(request.number),
            "command": .string(request.command), "success": true,
        ]
        var after: (() async -> Void)?
        do {
            let (body, next) = try await answer(request)
            // Some clients take a message without a body for none at all.
            reply["body"] = body ?? [:]
            after = next
        } catch {
            reply["success"] = false
            let message = Self.sentence(error)
            reply["message"] = .string(message)
            reply["body"] = .record([
                "error": .record([
                    "id": 1,
                    "format": .string(message.replacing("{", with: "(").replacing("}", with: ")")),
                    "showUser": true,
                ])
            ])
        }
        send(reply)
        await after?()
        return !hasEnded
    }

    /// Tells the client that something could not be read.
    package func complain(_ text: String) {
        tell("output", ["category": "stderr", "output": .string(text + "\n")])
    }

    static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as DebugRefusal: error.message
        case let error as FlowError:
            // What helps against a limit is written for those who make programs.
            error.description + (error.code.isLimit ? "" : error.help.map { "; \($0)" } ?? "")
        default: "\(error)"
        }
    }

    /// Sends an event.
    func tell(_ event: String, _ body: Value.Record = [:]) {
        send(["type": "event", "event": .string(event), "body": .record(body)])
    }

    private func send(_ message: Value.Record) {
        lastNumber += 1
        var message = message
        message["seq"] = .int(lastNumber)
        output(secretTexts.masked(message: .record(message)))
    }

    /// Whether a search is to end, as something else was asked for.
    nonisolated var isCancelled: Bool { hurried.withLock { $0.areThere } }

    // MARK: The life of a session

    /// Loads what is to be debugged.
    func open(_ command: String, _ arguments: Value) async throws {
        guard debugger == nil else { throw DebugRefusal(message: "There is a session already.") }
        self.arguments = arguments
        isOpening.store(true, ordering: .relaxed)
        defer { isOpening.store(false, ordering: .relaxed) }
        let subject = try await settings.open(command, arguments)
        stops.withLock { $0 = [{ subject.interrupt(isPause: $0) }] }
        // That may have been asked for before.
        if isCancelled {
            subject.interrupt(isPause: !hurried.withLock { $0.areThereWhileOpening })
        }
        let (recording, source) = try await subject.begin()
        let replica = try Replica(
            of: recording, source, options: settings.options, interruption: interruption,
            owner: self)
        secretTexts.add(from: recording.header.props)
        for (index, step) in recording.steps.enumerated() {
            guard !hurried.withLock({ $0.areThereWhileOpening }) else {
                complain("it was interrupted: no more than \(index) steps are played")
                break
            }
            secretTexts.add(from: step.input)
            try replica.play(step)
        }
        self.subject = subject
        console = settings.console?(recording.header, source)
        if let console { stops.withLock { $0.append { _ in console.interrupt() } } }
        debugger = try Debugger(replica, secretTexts) { [weak self] in
            self?.isCancelled ?? true
        }
        try await take(news: subject.takeNews())
        if let first = replica.firstDifference, !subject.isLive {
            complain(
                "step \(replica.inputs[first].step) is not as recorded; the flow may have changed since: "
                    + "from there on this is not what happened")
        }
        installBreakpoints()
        tell("initialized")
    }

    /// Begins to go, when the client has said all that it wants.
    func begin() async {
        guard let debugger else { return }
        hasBegun = true
        if isToPause { return await pause() }
        await reporting {
            if let step = arguments["at"]?.int {
                guard debugger.replica.inputs.contains(where: { $0.step == step }) else {
                    throw DebugRefusal(message: "There is no step \(step).")
                }
                let input = debugger.replica.inputs.lastIndex { $0.step == step } ?? 0
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

    /// Goes to the next stop, or to the present, or to the end.
    func run(_ direction: Debugger.Direction) async throws {
        guard let debugger, let subject else { return }
        let found = try debugger.goToStop(direction)
        if isHurriedHere() { return }
        if let found { return halt(found) }
        switch direction {
        case .backward:
            try debugger.goToEnd(.backward)
            halt("entry", text: "the beginning")
        case .forward where subject.isLive:
            // At the present it waits for more.
            try debugger.goToEnd(.forward)
            isStopped = false
            await subject.release()
        case .forward:
            // From here it can go back, so the client says when it is over.
            try debugger.goToEnd(.forward)
            halt("end", text: "the end of the recording")
        }
    }

    /// Deals with what came into a live session.
    package func newsCame() async {
        guard let subject, debugger != nil else { return }
        await reporting { try await take(news: subject.takeNews()) }
    }

    /// Deals with what came of an action of the console.
    func newsOfConsole() async throws {
        guard let subject else { return }
        try await take(news: subject.takeNews())
    }

    private func take(news: [DebuggedInput]) async throws {
        guard let debugger, let subject else { return }
        for input in news { secretTexts.add(from: input.input) }
        for (text, location) in await subject.takePrinted() {
            var body: Value.Record = ["category": "stdout", "output": .string(text + "\n")]
            if let location {
                body["source"] = source(location.file)
                body["line"] = .int(location.line)
            }
            tell("output", body)
        }
        for input in news { debugger.replica.add(input) }
        let mayStop =
            debugger.hasBreakpoints || failures.areUncaught && news.contains(where: \.isFailure)
        let isInterrupted = news.contains(where: \.isInterrupted)
        if !isStopped, mayStop || isInterrupted {
            let found = try debugger.catchUp { [unowned self] in tell($0) }
            if !hasBegun {
                // What stops is found when it begins.
            } else if isInterrupted, isCancelled {
                // It stops when the request that has interrupted it is answered.
                return reviewCalls()
            } else if let found {
                debugger.go(toInput: found)
                debugger.moveBeforeFirstLine()
                if let stop = try debugger.goToStop(.forward) { halt(stop) }
            }
        }
        reviewCalls()
        if !isStopped { await subject.release() }
    }

    /// Stops where it is now, unless it has stopped: where something was cut short, or at the last line.
    func pause() async {
        if payStop() { return }
        isToPause = !hasBegun
        guard debugger != nil, hasBegun, !isStopped else { return }
        await reporting { try haltAtEnd() }
    }

    /// Whether a request has ended a search; it stands where it was, and stops there when that request is answered.
    func isHurriedHere() -> Bool {
        let isHere = isCancelled
        if isHere { owesStop = true }
        return isHere
    }

    /// Says that it stands where a search was ended.
    ///
    /// - Returns: Whether one was.
    @discardableResult
    func payStop() -> Bool {
        guard owesStop else { return false }
        owesStop = false
        // Before all lines there is nothing to be seen.
        if let debugger, debugger.moment.line < 0 { debugger.moment.line = 0 }
        halt("pause")
        return true
    }

    private func haltAtEnd() throws {
        guard let debugger else { return }
        let last = debugger.replica.inputs.count - 1
        var stop: Stop?
        if debugger.replica.inputs[last].isCut { stop = try debugger.goToFailure(of: last) }
        if stop == nil { try debugger.goToEnd(.forward) }
        halt("pause", stop)
    }

    /// Ends what is debugged.
    func end() {
        isStopped = false
        tell("terminated")
        tell("exited", ["exitCode": 0])
    }

    /// Lets go of what is debugged, as the client has left.
    package func close() async {
        await subject?.close()
        await console?.forget()
        hasEnded = true
    }
}
