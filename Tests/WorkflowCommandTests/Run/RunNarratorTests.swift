import PlainValue
import Testing
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua

@testable import FlowPrinting
@testable import Terminal
@testable import WorkflowCommand

@Suite struct RunNarratorTests {
    /// Describes events, each a tenth of a second after the previous one.
    private func tell(_ kinds: FlowEvent.Kind..., columns: Int = 80) -> String {
        var narrator = RunNarrator(style: Style(isColored: false), columns: { columns })
        var text = ""
        for (index, kind) in kinds.enumerated() {
            text += narrator.text(
                for: FlowEvent(
                    sequence: index + 1, milliseconds: index * 100, cause: nil, kind: kind))
        }
        return text
    }

    private let ready = FlowEvent.Kind.ready(
        FlowHeader(flow: "checkout", session: "s", hash: "", seed: 0, props: [:]))

    private func shown(_ rendering: Value) -> FlowEvent.Kind {
        .rendering(rendering, actions: [], pass: 1)
    }

    private func action(_ type: String, from source: String = "client") -> FlowEvent.Kind {
        .action(["type": .string(type)], node: "checkout", source: source)
    }

    @Test func laterRenderingsShowOnlyChanges() {
        let items: Value = [["sku": "tea-01", "price": 9.5], ["sku": "mug-07", "price": 12]]
        let text = tell(
            ready, shown(["screen": "cart", "items": items, "total": 33.5]), action("pay"),
            shown(["screen": "paying", "items": items, "payment": ["amount": 33.5]]),
            .worker(.output(1), worker: "http.post", key: "", node: "checkout/payment"),
            .action(["type": "posted"], node: "checkout/payment", source: "worker:http.post"),
            action("paid", from: "child:checkout/payment"),
            shown(["screen": "done", "items": items]), .output(["order": "A-1042"]))
        #expect(
            text == """

                checkout
                  items
                    price  sku
                      9.5  tea-01
                       12  mug-07
                  screen  cart
                  total   33.5

                checkout  after pay
                ~ screen    paying                              was cart
                - total
                + payment   { amount = 33.5 }
                  … items as before

                checkout  after posted, from payment              0.4 s
                - payment
                ~ screen    done                                was paying
                  … items as before

                ✓ checkout finished with { order = "A-1042" }     2 actions, 0.8 s

                """)
    }

    @Test func anotherStepIsNoAction() {
        let text = tell(
            ready, shown(["n": 0]), action("go"), shown(["n": 1]), .moved(step: 0, of: 1),
            shown(["n": 0]))
        #expect(
            text.hasSuffix(
                """

                checkout  at step 0 of 1
                ~ n         0                                   was 1

                """))
    }

    @Test func workerOfTheRootIsNamedItself() {
        let text = tell(
            ready, shown(["n": 0]),
            .worker(.output(1), worker: "clock.every", key: "", node: "checkout"),
            action("tick", from: "worker:clock.every"), shown(["n": 1]))
        #expect(
            text.hasSuffix(
                """

                checkout  after tick, from clock.every            0.3 s
                ~ n         1                                   was 0

                """))
    }

    @Test func newPropsAndReloadsAreNamed() {
        #expect(
            tell(
                ready, shown(["n": 0]), .props([:]), shown(["n": 1]), .reloaded(hash: "1"),
                shown(["n": 2])
            ).hasSuffix(
                """

                checkout  after new props
                ~ n         1                                   was 0

                checkout  after a reload
                ~ n         2                                   was 1

                """))
    }

    @Test func unchangedRenderingIsShownAsBefore() {
        #expect(
            tell(ready, shown(["n": 0]), action("look"), shown(["n": 0])).hasSuffix(
                "\ncheckout  after look\n  as before\n"))
    }

    @Test func largeNewValuesAreUnfoldedAndLongListsFolded() {
        let rows = Value.list(Value.List((1...25).map { .record(["number": .int($0)]) }))
        let text = tell(
            ready, shown(["n": 0]), action("list"),
            shown(["n": 0, "report": ["rows": rows, "title": "All"]]))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines[4...9] == [
                "checkout  after list", "+ report", "    rows", "      number", "           1",
                "           2",
            ])
        #expect(
            lines.suffix(5) == [
                "          20", "      … 5 more", "    title  All", "  … n as before", "",
            ])
    }

    @Test func firstRenderingFoldsLongLists() {
        let rows = Value.list(Value.List((1...25).map { .int($0) }.map { .list([$0, [$0]]) }))
        #expect(tell(ready, shown(["rows": rows])).contains("\n    … 5 more\n"))
    }

    @Test func namesOfWhatStayedAreCutToTheWidth() {
        var record: Value.Record = ["n": 0]
        for letter in "abcdefghij" { record["a-long-name-\(letter)"] = 1 }
        var next = record
        next["n"] = 1
        let text = tell(
            ready, shown(.record(record)), action("count"), shown(.record(next)), columns: 40)
        #expect(text.hasSuffix("\n  … a-long-name-a, a-long-name-b, a-lon…\n"))
    }

    @Test func workersAtWorkAreALine() {
        var workers = RunningWorkers()
        func note(_ phase: WorkerNews.Event, _ worker: String, _ key: String = "") {
            workers.update(
                with: FlowEvent(
                    sequence: 1, milliseconds: 0, cause: nil,
                    kind: .worker(phase, worker: worker, key: key, node: "checkout/payment")),
                now: start)
        }
        let start = ContinuousClock.now
        #expect(workers.line(columns: 80, now: start) == "")
        note(.started, "clock.after", "a")
        note(.started, "http.post")
        #expect(!workers.isEmpty)
        #expect(
            workers.line(columns: 80, now: start + .milliseconds(840))
                == "  ⠙ payment → http.post  0.8 s  and 1 more")
        note(.output(1), "http.post")
        note(.finished, "http.post")
        #expect(
            workers.line(columns: 80, now: start + .seconds(65))
                == "  ⠹ payment → clock.after:a  1 min 5 s")
        #expect(
            workers.line(columns: 30, now: start + .seconds(1)) == "  ⠸ payment → clock.a…  1.0 s")
        note(.cancelled, "clock.after", "a")
        #expect(workers.isEmpty)
    }

    @Test func deedsOfClientsAreToldAsTheirs() {
        var narrator = RunNarrator(style: Style(isColored: false), columns: { 80 })
        var heads: [String] = []
        func tell(_ kind: FlowEvent.Kind, client: Int? = nil) {
            let text = narrator.text(
                for: FlowEvent(sequence: 1, milliseconds: 0, client: client, kind: kind))
            if let head = text.split(separator: "\n").first { heads.append(String(head)) }
        }
        tell(ready)
        for (n, kind) in [
            action("pay"), .props([:]), .reloaded(hash: ""), .moved(step: 1, of: 2),
        ].enumerated() {
            tell(kind, client: n + 1)
            tell(shown(["n": .int(n)]))
        }
        tell(.worker(.output(1), worker: "clock.after", key: "", node: "checkout"))
        tell(shown(["n": 5]))
        tell(action("pay"))
        tell(shown(["n": 6]))
        #expect(
            heads == [
                "checkout", "checkout  after new props, by client 2",
                "checkout  after a reload, by client 3", "checkout  at step 1 of 2, by client 4",
                "checkout  after clock.after                       0.0 s", "checkout  after pay",
            ])
    }

    @Test(arguments: [
        (0, "0.0 s"), (49, "0.0 s"), (50, "0.1 s"), (59_949, "59.9 s"), (60_000, "1 min 0 s"),
        (3_599_000, "59 min 59 s"), (3_780_000, "1 h 3 min"),
    ]) func timesAreShort(_ milliseconds: Int, _ text: String) {
        #expect(Duration.milliseconds(milliseconds).text == text)
    }
}
