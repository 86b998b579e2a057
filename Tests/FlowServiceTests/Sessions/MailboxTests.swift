import NIOCore
import Testing

@testable import FlowService

struct MailboxTests {
    /// An event whose last digit is the version that caused it.
    private func entry(_ text: String) -> SessionMailbox.Entry {
        let version = text.last.flatMap { Int(String($0)) } ?? 0
        return (EventPlace(step: version, version: version), ByteBuffer(string: text))
    }

    private func text(_ item: SessionMailbox.Item) -> String {
        switch item {
        case .event(let event, _): String(buffer: event)
        case .behind: "behind"
        case .heartbeat: "beat"
        case .end(let reason): "end: \(reason)"
        }
    }

    @Test func allOutputsComeFirstAndOfRenderingsTheNewest() async {
        let mailbox = SessionMailbox(mostBytes: 1000)
        for version in 1...3 {
            _ = mailbox.add(
                outputs: [entry("o\(version)")], rendering: entry("r\(version)"), version: version)
        }
        var seen: [String] = []
        for _ in 0..<4 { seen.append(text(await mailbox.next())) }
        #expect(seen == ["o1", "o2", "o3", "r3"])
    }

    @Test func whatAReaderWasToldOtherwiseIsLeftOutWheneverItComes() async {
        let mailbox = SessionMailbox(mostBytes: 1000)
        _ = mailbox.add(outputs: [entry("o1")], rendering: entry("r1"), version: 1)
        _ = mailbox.add(outputs: [entry("o2")], rendering: entry("r2"), version: 2)
        mailbox.leaveOut(through: 2)
        _ = mailbox.add(outputs: [entry("late")], rendering: entry("late"), version: 2)
        _ = mailbox.add(outputs: [], rendering: entry("r3"), version: 3)
        #expect(text(await mailbox.next()) == "r3")
    }

    @Test func aReaderWhoFallsBehindGetsWhatWaitsFirstAndIsToldOnce() async {
        let mailbox = SessionMailbox(mostBytes: 1000)
        #expect(mailbox.told == nil)
        mailbox.leaveOut(through: 1)
        _ = mailbox.add(outputs: [entry("o2")], rendering: entry("r2"), version: 2)
        #expect(mailbox.told == 2)
        mailbox.fallBehind()
        mailbox.fallBehind()
        mailbox.beat()
        var seen: [String] = []
        for _ in 0..<4 { seen.append(text(await mailbox.next())) }
        #expect(seen == ["o2", "r2", "behind", "beat"])
    }

    @Test func aReaderThatIsTooFarBehindIsLetGo() async {
        let mailbox = SessionMailbox(mostBytes: 10)
        _ = mailbox.add(outputs: [entry("12345")], rendering: entry("r1"), version: 1)
        _ = mailbox.add(outputs: [entry("1234567")], rendering: entry("r2"), version: 2)
        _ = mailbox.add(outputs: [entry("more")], rendering: entry("r3"), version: 3)
        #expect(text(await mailbox.next()) == "end: slow")
    }

    @Test func whatWaitsIsNotSentToWhoeverMayNoLongerRead() async {
        let mailbox = SessionMailbox(mostBytes: 1000)
        _ = mailbox.add(outputs: [entry("o1")], rendering: entry("r1"), version: 1)
        mailbox.close("not_granted")
        _ = mailbox.add(outputs: [entry("o2")], rendering: entry("r2"), version: 2)
        #expect(text(await mailbox.next()) == "end: not_granted")
    }

    @Test func whoeverWaitsIsToldAtOnce() async {
        let mailbox = SessionMailbox(mostBytes: 1000)
        async let first = mailbox.next()
        await Task.yield()
        mailbox.beat()
        #expect(text(await first) == "beat")
        mailbox.close("gone")
        mailbox.close("another reason")
        #expect(text(await mailbox.next()) == "end: gone")
    }

    @Test func aReaderWhoWaitsIsCalledOnceAndGetsAllThatCameUntilItIsWoken() async {
        let mailbox = SessionMailbox(mostBytes: 1 << 20)
        func add(_ version: Int) -> Bool {
            mailbox.add(outputs: [entry("o\(version)")], rendering: entry("r"), version: version)
        }
        let reading = Task {
            var outputs: [String] = []
            while outputs.last?.hasPrefix("end") != true {
                let item = text(await mailbox.next())
                if item != "r" { outputs.append(item) }
            }
            return outputs
        }
        var version = 1
        while !add(version) {
            version += 1
            await Task.yield()
        }
        #expect(!add(version + 1))
        mailbox.wake()
        mailbox.close("gone")
        #expect(await reading.value == (1...version + 1).map { "o\($0)" } + ["end: gone"])
    }

    @Test(
        arguments: [
            ("41", 41, 0, nil), ("0", 0, 0, nil), ("40.2", 40, 2, nil), ("40.0.7", 40, 0, 7),
        ])
    func anEventIDIsAPlaceOrNothing(text: String, step: Int, count: Int, version: Int?) throws {
        let place = try #require(EventPlace(text))
        #expect(place == EventPlace(step: step, outputCount: count, version: version))
        #expect(EventPlace(place.description) == place)
    }

    @Test(
        arguments: [
            "", ".", "1.", ".1", "-1", "1.2.3.4", "1.2.", "a", "1 ", "99999999999999999999",
        ])
    func isNoPlace(text: String) { #expect(EventPlace(text) == nil) }
}
