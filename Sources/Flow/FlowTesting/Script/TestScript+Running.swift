import LuaVM
import WorkflowKit
import WorkflowLua

extension TestScript {
    /// The maximum number of flows of a test that are recorded, the last ones.
    private static let mostRecordings = 10

    /// Runs a test, with the functions before and after it.
    func run(_ test: TestCase) -> FlowTestResult {
        let clock = ContinuousClock()
        let start = clock.now
        var outcome = FlowTestResult.Outcome.pending
        var recordings: [String] = []
        if let body = test.body {
            outcome = play(test, body, &recordings).map { .failed($0) } ?? .passed
        }
        return FlowTestResult(
            path: test.path, location: test.location, outcome: outcome,
            duration: start.duration(to: clock.now), recordings: recordings)
    }

    private func play(
        _ test: TestCase, _ body: LuaReference, _ recordings: inout [String]
    ) -> FlowTestFailure? {
        assert(!isRunning && flows.isEmpty, "a test begins before another one has ended")
        isRunning = true
        failedExpectation = nil
        defer {
            isRunning = false
            forgetObjects()
        }
        var failure: FlowTestFailure?
        for function in test.group.allBefore + [body] where failure == nil {
            failure = failureOfCalling(function)
        }
        for function in test.group.allAfter {
            let later = failureOfCalling(function)
            failure = failure ?? later
        }
        if failure == nil, let caught = failedExpectation {
            failure = caught
            failure?.error.notes.append("pcall or a coroutine caught it, and the test went on")
            failure?.error.help =
                caught.error.help
                ?? "expect a failure with expect(function() … end):fails(\"a part of it\")"
        }
        if failure == nil, let open = openExpectations.min(by: { $0.key < $1.key }) {
            failure = FlowTestFailure(.noExpectation)
            failure?.error.location = open.value
        }
        for (flow, _) in flows where failure == nil {
            do throws(FlowTestFailure) { try flow.checkEnd() } catch { failure = error }
        }
        guard let failure else {
            if options.recordsPassed { recordings = record(test).paths }
            return nil
        }
        return completed(failure, of: test)
    }

    private func failureOfCalling(_ function: LuaReference) -> FlowTestFailure? {
        do throws(LuaError) {
            _ = try vm.call(function)
            return nil
        } catch {
            return failure(of: error)
        }
    }

    func failure(of error: LuaError) -> FlowTestFailure {
        if var failure = error.underlying as? FlowTestFailure {
            if failure.error.location == nil {
                failure.error.location = error.location.map(FlowError.Location.init)
            }
            return failure
        }
        // A limit ends the whole test. The flow's own error has the exact place.
        if error.code.isLimit, let last = flows.last?.flow.errors.last {
            return FlowTestFailure(last.content)
        }
        var known = script.error(error)
        if known.isFailedAssertion { known.code = .expectation }
        return FlowTestFailure(known)
    }

    private func completed(_ failure: FlowTestFailure, of test: TestCase) -> FlowTestFailure {
        var failure = failure
        if failure.error.location == nil { failure.error.location = test.location }
        failure.error = script.located(failure.error)
        // The phase of the test itself adds nothing; only a flow's phase is shown.
        if failure.error.phase == .load { failure.error.phase = nil }
        failure.steps = flows.flatMap(\.flow.steps)
        let (paths, notes) = record(test)
        failure.recordings += paths
        failure.error.notes += notes
        return failure
    }

    /// Writes recordings of the flows of a test.
    private func record(_ test: TestCase) -> (paths: [String], notes: [String]) {
        guard let folder = options.recordings else { return ([], []) }
        var (paths, notes): ([String], [String]) = ([], [])
        let first = max(0, flows.count - Self.mostRecordings)
        if first > 0 {
            notes.append("the last \(Self.mostRecordings) of \(flows.count) flows were recorded")
        }
        for (index, flow) in flows.map(\.flow).enumerated().dropFirst(first) {
            let file = flowFile(of: flow)
            do throws(FlowError) {
                try makeFolders(folder)
                let path = freePath(in: folder, for: test, number: index + 1)
                try flow.record(to: path, flowFile: file)
                paths.append(path)
            } catch {
                notes.append("no recording was written: \(error.message)")
            }
        }
        return (paths, notes)
    }

    /// The file of a flow's definition; `nil` if it is in the test itself.
    private func flowFile(of flow: TestedFlow) -> String? {
        guard let folder, let file = script.file(of: flow.flow), file != script.name else {
            return nil
        }
        return "\(folder)/\(file)"
    }

    /// The path of a new file: `todo_test-todo-adds-items.jsonl`.
    private func freePath(in folder: String, for test: TestCase, number: Int) -> String {
        var words = ([script.name.withoutLua] + test.path).map(\.fileName).joined(separator: "-")
            .prefix(100)
        if number > 1 { words += "-\(number)" }
        var path = "\(folder)/\(words).jsonl"
        var count = 1
        while resolvedPath(path) != nil {
            count += 1
            path = "\(folder)/\(words)-\(count).jsonl"
        }
        return path
    }
}

extension String {
    /// The text with each unusual character for a file name replaced by a hyphen.
    fileprivate var fileName: String {
        String(
            map { character in
                character.isASCII && (character.isLetter || character.isNumber)
                    || character == "_" ? character : "-"
            })
    }
}
