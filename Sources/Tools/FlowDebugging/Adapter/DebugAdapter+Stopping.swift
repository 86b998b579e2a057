import PlainValue
import WorkflowKit
import WorkflowLua

extension DebugAdapter {
    func halt(_ stop: Stop) {
        let failure = stop.failure?.message
        if let failure { complain("\(stop.location): \(failure)") }
        switch stop.reason {
        case .breakpoint: halt("breakpoint", stop, text: failure)
        case .functionBreakpoint: halt("function breakpoint", stop, text: failure)
        case .exception: halt("exception", stop)
        case .caught: halt("exception", stop, text: "caught")
        case .dataBreakpoint(let before, let now):
            func shown(_ value: Value?) -> String {
                value.map { secretTexts.hiding($0) }?.summary(maxLength: 60) ?? "nil"
            }
            let isSecret = stop.ids.contains(where: isSecret)
            halt("data breakpoint", stop, text: isSecret ? nil : "\(shown(before)) → \(shown(now))")
        }
    }

    func halt(_ reason: String, _ stop: Stop? = nil, text: String? = nil) {
        self.stop = stop
        isStopped = true
        view = StoppedView()
        // Some clients accept only the reasons of the protocol.
        let known = ["end", "restart"].contains(reason) ? "pause" : reason
        var body: Value.Record = [
            "reason": .string(known), "threadId": 1, "allThreadsStopped": true,
            "description": .string(reason + (text.map { ": \($0)" } ?? "")),
        ]
        if let text { body["text"] = .string(text) }
        if let ids = stop?.ids, !ids.isEmpty {
            body["hitBreakpointIds"] = .list(of: ids.map { .int($0) })
        }
        report = body
        tell("stopped", body)
        reviewCalls()
    }

    /// Runs a function after the answer and reports its error.
    func reporting(_ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            if mustEndSearch() { return }
            complain(Self.sentence(error))
            if !isStopped { halt("pause") }
        }
    }
}
