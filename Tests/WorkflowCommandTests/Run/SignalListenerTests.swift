import Dispatch
import LibC
import Terminal
import Testing

@Suite struct SignalListenerTests {
    /// In processes of their own, which have just begun.
    @Test(arguments: 0..<20) func aSignalIsHeardHoweverEarlyItComes(_: Int) async {
        await #expect(processExitsWith: .success) {
            let (signals, report) = AsyncStream<Int32>.makeStream()
            let listener = SignalListener(
                to: [SIGTERM, SIGHUP], on: DispatchQueue(label: "test")
            ) { report.yield($0) }
            kill(getpid(), SIGTERM)
            for await signal in signals { exit(signal == SIGTERM ? 0 : 1) }
            withExtendedLifetime(listener) {}
        }
    }

    @Test func twoListenersHearOneSignalAndOneThatIsGoneHearsNone() async {
        await #expect(processExitsWith: .success) {
            let (heard, report) = AsyncStream<String>.makeStream()
            let queue = DispatchQueue(label: "test")
            let first = SignalListener(to: [SIGUSR1], on: queue) { _ in report.yield("first") }
            var second: SignalListener? = SignalListener(to: [SIGUSR1, SIGUSR2], on: queue) {
                report.yield("second \($0)")
            }
            var names = heard.makeAsyncIterator()
            kill(getpid(), SIGUSR1)
            var both = [await names.next(), await names.next()]
            both.sort { ($0 ?? "") < ($1 ?? "") }
            guard both == ["first", "second \(SIGUSR1)"] else { exit(1) }
            second = nil
            kill(getpid(), SIGUSR2)
            kill(getpid(), SIGUSR1)
            guard await names.next() == "first" else { exit(2) }
            withExtendedLifetime((first, second)) { exit(0) }
        }
    }
}
