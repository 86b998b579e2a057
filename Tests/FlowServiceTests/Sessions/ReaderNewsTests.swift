import HTTPServing
import NIOCore
import PlainValue
import Synchronization
import Testing
import WorkflowKit
import WorkflowStore

@testable import FlowService

struct ReaderNewsTests {
    private static func news(_ version: Int) -> SessionNews {
        var news = SessionNews(
            moment: SessionMoment(
                step: version, stepCount: version, version: version,
                screen: SessionScreen(version: version), rendering: ["n": .int(version)]),
            outputs: [.init(step: version, outputs: [.int(version)])])
        news.asksForAccess = true
        return news
    }

    private static func principal(_ name: String) -> Principal {
        Principal(name, scopes: [.read])
    }

    /// The names of the events that wait for a reader up to a rendering or the end.
    private static func events(_ mailbox: SessionMailbox) async -> [String] {
        var found: [String] = []
        while true {
            switch await mailbox.next() {
            case .event(let event, _):
                let text = String(buffer: event)
                let data = text.split(separator: "\n").last ?? ""
                let value = try? Value(json: String(data.dropFirst(6)))
                let isOutput = text.hasPrefix("event: output")
                found.append("\(isOutput ? "o" : "r")\(value?["step"]?.int ?? 0)")
                if !isOutput { return found }
            case .heartbeat, .behind: break
            case .end(let reason): return found + [reason]
            }
        }
    }

    private final class Flow: Sendable {
        private let asked = Mutex<[[String]]>([])
        let refused: Set<String>
        let version: Mutex<Int>
        /// Lets the flow answer; each answer takes one.
        let (turns, letAnswer) = AsyncStream<Void>.makeStream()
        let (begun, begin) = AsyncStream<Void>.makeStream()

        init(refusing refused: Set<String> = [], at version: Int) {
            self.refused = refused
            self.version = Mutex(version)
        }

        var questions: [[String]] { asked.withLock(\.self) }

        func ask(_ principals: [Principal]) async -> (verdicts: [Principal: Bool], version: Int) {
            asked.withLock { $0.append(principals.map(\.name).sorted()) }
            begin.yield()
            for await _ in turns { break }
            let verdicts = principals.map { ($0, !refused.contains($0.name)) }
            return (Dictionary(uniqueKeysWithValues: verdicts), version.withLock(\.self))
        }
    }

    private static func run(_ news: ReaderNews, _ flow: Flow) -> Task<Void, Never> {
        Task { await news.run { await flow.ask($1) } }
    }

    @Test func aFlowIsAskedOnceForEachPrincipalHoweverManyStreamsThatHas() async throws {
        let readers = SessionReaders(most: 100)
        let bob = try (0..<5).map { _ in
            try readers.add(to: "a", for: .server, of: Self.principal("bob"))
        }
        let cleo = try readers.add(to: "a", for: .server, of: Self.principal("cleo"))
        let own = try readers.add(to: "a", for: .server)
        let news = ReaderNews(to: readers)
        let flow = Flow(refusing: ["bob"], at: 1)
        let running = Self.run(news, flow)
        defer { running.cancel() }
        news.add(Self.news(1), of: "a")
        flow.letAnswer.yield()
        for mailbox in bob { #expect(await Self.events(mailbox) == ["not_granted"]) }
        for mailbox in [cleo, own] { #expect(await Self.events(mailbox) == ["o1", "r1"]) }
        #expect(flow.questions == [["bob", "cleo"]])
    }

    @Test func whatComesWhileAFlowIsAskedGoesOutUpToTheStateThatWasJudged() async throws {
        let readers = SessionReaders(most: 100)
        let bob = try readers.add(to: "a", for: .server, of: Self.principal("bob"))
        let news = ReaderNews(to: readers)
        let flow = Flow(at: 3)
        let running = Self.run(news, flow)
        defer { running.cancel() }
        news.add(Self.news(1), of: "a")
        for await _ in flow.begun { break }
        for version in 2...4 { news.add(Self.news(version), of: "a") }
        flow.letAnswer.yield()
        #expect(await Self.events(bob) == ["o1", "o2", "o3", "r3"])
        flow.version.withLock { $0 = 4 }
        flow.letAnswer.yield()
        #expect(await Self.events(bob) == ["o4", "r4"])
        #expect(flow.questions.count == 2)
    }

    @Test func oneCallIsForAFewPrincipalsOnlySoThatOthersGetTheirTurn() async throws {
        let readers = SessionReaders(most: 1000)
        let count = 2 * ReaderNews.principalsAtATime + 1
        let mailboxes = try (0..<count).map {
            try readers.add(to: "a", for: .server, of: Self.principal("\($0)"))
        }
        let news = ReaderNews(to: readers)
        let flow = Flow(at: 1)
        let running = Self.run(news, flow)
        defer { running.cancel() }
        for _ in 0..<3 { flow.letAnswer.yield() }
        news.add(Self.news(1), of: "a")
        for mailbox in mailboxes { #expect(await Self.events(mailbox) == ["o1", "r1"]) }
        #expect(flow.questions.map(\.count).sorted() == [1, 32, 32])
    }

    @Test func whoeverBeginsToReadWhileOthersAreAskedAboutIsAskedAboutToo() async throws {
        let readers = SessionReaders(most: 100)
        let bob = try readers.add(to: "a", for: .server, of: Self.principal("bob"))
        let news = ReaderNews(to: readers)
        let flow = Flow(refusing: ["cleo"], at: 1)
        let running = Self.run(news, flow)
        defer { running.cancel() }
        news.add(Self.news(1), of: "a")
        for await _ in flow.begun { break }
        let cleo = try readers.add(to: "a", for: .server, of: Self.principal("cleo"))
        for _ in 0..<2 { flow.letAnswer.yield() }
        #expect(await Self.events(bob) == ["o1", "r1"])
        #expect(await Self.events(cleo) == ["not_granted"])
        #expect(flow.questions == [["bob"], ["cleo"]])
    }

    @Test func withoutAnAnswerNothingIsSentAndTheNextNewsAsksAgain() async throws {
        struct Failure: Error {}
        let readers = SessionReaders(most: 100)
        let bob = try readers.add(to: "a", for: .server, of: Self.principal("bob"))
        let news = ReaderNews(to: readers)
        let failures = Mutex(1)
        let running = Task {
            await news.run { _, principals in
                let fails = failures.withLock { count in
                    defer { count -= 1 }
                    return count > 0
                }
                if fails { throw Failure() }
                return (Dictionary(uniqueKeysWithValues: principals.map { ($0, true) }), 2)
            }
        }
        defer { running.cancel() }
        news.add(Self.news(1), of: "a")
        #expect(await Self.events(bob) == ["lost"])
        readers.remove(bob, from: "a")
        let next = try readers.add(to: "a", for: .server, of: Self.principal("bob"))
        news.add(Self.news(2), of: "a")
        #expect(await Self.events(next) == ["o2", "r2"])
    }
}
