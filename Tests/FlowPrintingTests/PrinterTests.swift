import PlainValue
import Testing
import WorkflowKit
import WorkflowLua

@testable import FlowPrinting
@testable import FlowProtocol
@testable import Terminal

@Suite struct PrinterTests {
    private let plain = Style(isColored: false)

    @Test(arguments: [
        ("", 0), ("abc", 3), ("日本", 4), ("é", 1), ("e\u{301}", 1), ("→…", 2), ("😀", 2), ("한", 2),
    ]) func charactersHaveWidths(_ text: String, _ width: Int) {
        #expect(displayWidth(text) == width)
    }

    @Test func textIsPaddedAndCutByItsWidth() {
        #expect("日".padded(to: 4) == "日  ")
        #expect("日".paddedLeft(to: 4) == "  日")
        #expect("日本語".cut(to: 6) == "日本語")
        #expect("日本語".cut(to: 5) == "日本…")
        #expect("日本語".cut(to: 4) == "日…")
        #expect("abc".cut(to: 2) == "a…")
    }

    @Test func hintsForPagesAreLeftOut() {
        let hints: Value = ["as": "table"]
        let rows: Value = [["id": 1, "$view": hints], ["id": 2]]
        let flow: Value = ["$view": hints, "count": 1, "rows": rows]
        let bare: Value = ["count": 1, "rows": [["id": 1], ["id": 2]]]
        #expect(TreePrinter(style: plain).text(flow) == TreePrinter(style: plain).text(bare))
        #expect(TreePrinter(style: plain).text(["$view": "mine"]).contains("mine"))
    }

    @Test func sinksAreNoChange() {
        let sink: Value = ["$sink": ["node": "a", "action": ["type": "go", "id": 1]]]
        let other: Value = ["$sink": ["node": "a", "action": ["type": "stop"]]]
        let old: Value = ["a": sink, "rows": [["t": 1, "x": sink]], "list": [sink]]
        let new: Value = ["b": other, "rows": [["t": 1, "x": other]], "list": [other]]
        let lines = ChangePrinter(style: plain, columns: 80)
            .lines(from: old.withoutSinks, to: new.withoutSinks)
        #expect(lines == ["  ~ list[1]   → stop                             was → go"])
    }

    @Test func ofALongTextTheBeginningIsOnALine() {
        let marks = Value.string("a" + String(repeating: "\u{301}", count: 1000))
        #expect(marks.line(width: 10).unicodeScalars.count == 41)
        #expect(marks.line(width: 10).last == "…")
        #expect(Value.string("abcdef").line(width: 6) == "abcdef")
        #expect(Value.string("abcdefg").line(width: 6) == "abcde…")
        #expect(Value.string("\u{1}\u{1}").line(width: 10) == "\\u{1}\\u{1}")
    }

    @Test func manyChangesAreFolded() {
        let old = Value.list(Value.List((1...100).map { .int($0) }))
        let new = Value.list(Value.List((1...100).map { .int(-$0) }))
        let lines = ChangePrinter(style: plain, columns: 80).lines(from: old, to: new)
        #expect(lines.count == 20)
        #expect(lines.last == "  … 81 more changes")
    }

    @Test(arguments: [40, 60, 80, 120]) func changesFitTheTerminal(_ columns: Int) {
        let long = String(repeating: "a long text ", count: 30) + "end"
        let lines = ChangePrinter(style: plain, columns: columns).lines(
            from: ["text": .string(long), "old": 1, "日本": 1],
            to: ["text": .string(long + "!"), "new": .string(long), "日本": 2])
        #expect(lines.count == 4)
        for line in lines { #expect(displayWidth(line) <= columns) }
    }

    @Test func tablesAreAligned() {
        let rows: Value = [
            ["sku": "tea-01", "price": 9.5, "name": "緑茶"], ["sku": "mug", "price": 12],
        ]
        #expect(
            TreePrinter(style: plain).text(["items": rows, "total": 21.5]) == """
                  items
                    name  price  sku
                    緑茶    9.5  tea-01
                             12  mug
                  total  21.5

                """)
    }

    @Test func longListsAreFolded() {
        let flat = Value.list(Value.List((1...10_000).map { .string("row \($0)") }))
        let lines = TreePrinter(style: plain).text(flat).split(separator: "\n")
        #expect(lines.count == 201)
        #expect(lines.last == "  … 9800 more")
        let rows = Value.list(Value.List((1...10_000).map { ["id": .int($0)] }))
        #expect(TreePrinter(style: plain).text(rows).hasSuffix("    … 9800 more\n") == false)
        #expect(TreePrinter(style: plain).text(rows).hasSuffix("  … 9800 more\n"))
    }

    @Test(arguments: [
        (FlowError.Hint.Setting.timeLimit, "--max-time"), (.journal, "--record"),
        (.socket, "start with --listen PATH"), (.port, "--port"),
        (.token, "workflow-run serve token NAME --scope read,act"),
        (.access, "give --tokens FILE or --jwks FILE; or --open-to-all, if all may do everything"),
    ])
    func settingsAreOptionsOnTheCommandLine(_ setting: FlowError.Hint.Setting, _ option: String) {
        #expect(FlowError.Hint("", setting).inOptions == option)
    }

    @Test func literalsAreLua() {
        let value: Value = [
            "type": "add", "a b": .null, "list": [1, 2.5, "x\n"], "none": [],
            "text": .string(String(repeating: "x", count: 70)),
        ]
        #expect(
            LuaLiteral(indent: 0).text(value, after: 0) == """
                {
                    type = "add",
                    ["a b"] = workflow.null,
                    list = { 1, 2.5, "x\\n" },
                    none = {},
                    text = "\(String(repeating: "x", count: 70))",
                }
                """)
    }
}
