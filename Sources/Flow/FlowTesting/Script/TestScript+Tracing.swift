import LuaVM
import PlainValue
import WorkflowKit
import WorkflowLua

extension TestScript {
    /// The factor by which a test may exceed its time limit, since the trace takes time.
    private static let patience = 3

    /// - Parameter onLine: Called before each line until it returns `false`. The test ends there.
    func run(
        _ test: TestCase, tracing onLine: @escaping (TestLine, borrowing LuaMoment) -> Bool
    ) throws(FlowError) -> FlowTestResult {
        var goesOn = true
        let trace = LuaTrace(patience: Self.patience) {
            [unowned self, interrupt = vm.interrupt] moment in
            // Lines of flows are not lines of the test.
            guard goesOn, router.flow == nil, let line = line(at: moment) else { return }
            goesOn = onLine(line, moment)
            if !goesOn { interrupt.stop() }
        }
        do throws(LuaError) { try vm.setTrace(trace) } catch { throw script.error(error) }
        // Only a process that has ended refuses this, and its trace has ended with it.
        defer { try? vm.setTrace(nil) }
        return run(test)
    }

    private func line(at moment: borrowing LuaMoment) -> TestLine? {
        guard let call = moment.call(at: 0) else { return nil }
        let flow = flows.last?.flow
        return TestLine(
            location: FlowError.Location(call.location), nesting: vm.depth, depth: moment.depth,
            flows: flows.count, inputs: flow?.inputCount ?? 0, step: flow?.player.step ?? 0,
            rendering: flow?.rendering ?? .null)
    }
}
