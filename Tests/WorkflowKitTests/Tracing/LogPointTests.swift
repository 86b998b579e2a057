import LuaVM
import PlainValue
import TestFlows
import TestSupport
import Testing
import Workflow
@testable import WorkflowKit
import WorkflowLua

@Suite(.timeLimit(.minutes(15))) struct LogPointTests {
    private static let flow = """
        local Item = require "item"
        local List = { name = "list", state = { items = {}, calls = 0 } }

        local function total(items)
            local sum = 0
            for _, item in ipairs(items) do
                sum = sum + item.n
            end
            return sum
        end

        List.apply = {
            add = function(state, action)
                state.items[#state.items + 1] = { n = action.n }
                state.last = total(state.items) / 4
            end,
            fail = function(state)
                state.items = {}
                error("no luck")
            end,
            up = function(state, action)
                local item = state.items[action.index]
                item.n = item.n + 1
            end,
        }

        function List.render(state, context)
            local rows = {}
            for index, item in ipairs(state.items) do
                rows[index] = context:render(Item, { n = item.n, index = index }, {
                    key = index,
                    on_output = function(output)
                        return { type = "up", index = output.index }
                    end,
                })
            end
            return { rows = rows, last = state.last }
        end

        return List
        """

    private static let item = """
        local Item = { name = "item" }
        Item.apply = {
            tap = function(_, _, context)
                local props = context.props
                return { index = props.index }
            end,
        }
        function Item.render(_, context)
            local n = context.props.n
            return { n = n, tap = context:sink("tap") }
        end
        return Item
        """

    private static func source(_ flow: String, _ item: String = item) -> FlowSource {
        .text(flow, name: "list.lua", modules: ["item": item])
    }

    private func session(
        _ source: FlowSource = source(flow), isolation: LuaVM.Options.Isolation = .none,
        onPrint: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> FlowSession {
        var options = FlowOptions()
        options.isolation = isolation
        let session = try await FlowSession.open(source, options: options) { event in
            if case .log(_, let message, _) = event.kind { onPrint(message) }
        }
        for n in 1...6 {
            try await session.send(["type": "add", "n": .int(n)])
            if n % 2 == 0 { try? await session.send("fail") }
            try await session.send("tap", to: "list/item:\(n)")
        }
        return session
    }

    private func texts(
        _ points: [LogPoint], in session: FlowSession, _ steps: ClosedRange<Int>? = nil
    ) async throws -> [String] {
        var texts: [String] = []
        let all = await 0...session.stepCount
        try await session.log(points, steps: steps ?? all) { hit in
            switch hit.content {
            case .success(let content): texts.append(content.text)
            case .failure(let error): texts.append("error: \(error.message)")
            }
        }
        return texts
    }

    /// Lines of the flow, and what `print` would have written before each.
    @Test(arguments: [
        (
            "list.lua", "        sum = sum + item.n", "sum, item.n, #items",
            "{sum} {item.n} {#items}"
        ),
        (
            "list.lua", "        item.n = item.n + 1",
            "state.items[action.index].n, #(state.items[1].n .. ''), item == nil, math.type(item.n)",
            "{state.items[action.index].n} {#(state.items[1].n .. '')} {item == nil} {math.type(item.n)}"
        ), ("list.lua", "        state.last =", "state.last, action.n", "{state.last} {action.n}"),
        (
            "list.lua", "        item.n = item.n + 1", "item.n, state.items[1].n",
            "{item.n} {state.items[1].n}"
        ),
        (
            "list.lua", "    return { rows = rows, last", "#rows, context.props.x",
            "{#rows} {context.props.x}"
        ),
        ("item", "    return { n = n, tap", "n, context.props.index", "{n} {context.props.index}"),
        (
            "item", "        return { index", "props.index, tostring(props.n):rep(2)",
            "{props.index} {tostring(props.n):rep(2)}"
        ),
    ]) func aLogIsWhatPrintWouldHaveWritten(
        _ file: String, _ line: String, _ printed: String, _ text: String
    ) async throws {
        let isItem = file == "item"
        let original = isItem ? Self.item : Self.flow
        let edited = original.replacing(line, with: "print(\(printed)); " + line.drop { $0 == " " })
        try #require(edited != original)
        let number = try #require(
            original.split(separator: "\n", omittingEmptySubsequences: false).firstIndex {
                $0.hasPrefix(line)
            })
        let lines = Lines()
        let source = isItem ? Self.source(Self.flow, edited) : Self.source(edited)
        _ = try await session(source) { lines.add($0) }
        let wanted = lines.all.map { $0.replacing("\t", with: " ") }
        #expect(!wanted.isEmpty)
        let point = LogPoint(file: isItem ? "item.lua" : file, line: number + 1, text: text)
        for isolation in LuaVM.Options.Isolation.all {
            let session = try await session(isolation: isolation)
            #expect(try await texts([point], in: session) == wanted, "\(isolation)")
            await session.close()
        }
    }

    @Test func aHitSaysWhereItWas() async throws {
        let session = try await session()
        var hits: [String] = []
        let point = try LogPoint(parsing: "flows/list.lua:23: {item.n}!", where: "item.n > 2")
        try await session.log([point], steps: 0...session.stepCount) { hit in
            hits.append("\(hit.step).\(hit.call) \(hit.node) \(hit.phase) \(hit.location)")
        }
        #expect(hits == [6, 8, 10, 12].map { "\($0).3 list apply.up list.lua:23" })
    }

    @Test func nothingIsChangedAndNobodyIsTold() async throws {
        let lines = Lines()
        let source = Self.source(
            Self.flow.replacing("local rows = {}", with: "local rows = {} print(\"rendered\")"))
        let session = try await session(source) { lines.add($0) }
        let (rendering, printed) = (await session.rendering, lines.all.count)
        let all = await session.stepCount
        _ = try await texts([LogPoint(file: "list.lua", line: 29, text: "{state}")], in: session)
        #expect(await session.rendering == rendering)
        #expect(await session.stepCount == all)
        #expect(lines.all.count == printed)
        try await session.send(["type": "add", "n": 1])
    }

    @Test func whatCannotBeEvaluatedIsSaidAndTheRestGoesOn() async throws {
        let session = try await session()
        let point = LogPoint(file: "list.lua", line: 23, text: "{item.n.m.o}")
        let texts = try await texts([point], in: session)
        #expect(texts.count == 6)
        #expect(texts.allSatisfy { $0.hasPrefix("error: attempt to index a n") })
    }

    @Test func anExpressionChangesNothing() async throws {
        let session = try await session()
        let point = LogPoint(file: "list.lua", line: 14, text: "{table.remove(state.items)}")
        let texts = try await texts([point], in: session)
        #expect(texts.allSatisfy { $0.hasPrefix("error: ") })
        let lengths = LogPoint(file: "list.lua", line: 14, text: "{#state.items}")
        #expect(try await self.texts([lengths], in: session) == ["0", "1", "2", "3", "4", "5"])
    }

    @Test(arguments: [
        ("nope.lua:3: x", "the flow has no file 'nope.lua'; its files are item.lua, list.lua"),
        ("lisst.lua:3: x", "the flow has no file 'lisst.lua'. Did you mean 'list.lua'?"),
        ("list.lua:3: {x", "a brace in '{x' is not closed"),
        ("list.lua:3: {1 +}", "'1 +' is not an expression: unexpected symbol near <eof>"),
    ]) func aPointThatIsNoneIsRefused(_ typed: String, _ message: String) async throws {
        let session = try await session()
        do throws(FlowError) {
            try await session.log([LogPoint(parsing: typed)], steps: 0...1) { _ in }
            Issue.record("nothing was refused")
        } catch { #expect(error.message == message) }
    }

    @Test(arguments: ["", "list.lua", "list.lua:x: a", "list.lua:0", ":3: x"])
    func aPointWithoutAPlaceIsRefused(_ typed: String) {
        #expect(throws: FlowError.self) { try LogPoint(parsing: typed) }
    }

    @Test func bracesQuotesAndLengthsAreRead() async throws {
        let session = try await session()
        let point = LogPoint(
            file: "list.lua", line: 23, text: "{({ a = '}' }).a}{#\"{\"} {-- no\n1}",
            condition: "#state.items == 1")
        #expect(try await texts([point], in: session) == ["}1 1"])
    }

    /// A flow that counts outside its state shows how often a step was played.
    @Test func aStepThatIsPlayedAgainBeginsWhereItDidTheLastTime() throws {
        let player = FlowPlayer(options: FlowOptions())
        try player.open(
            .text(
                """
                local Count = { name = "count", state = { n = 0 } }
                local calls = 0
                Count.apply = {
                    up = function(state)
                        calls = calls + 1
                        state.n = calls
                    end,
                }
                function Count.render(state) return { n = state.n } end
                return Count
                """, name: "count.lua", modules: [:]))
        func playedAgain(_ step: Int) throws -> Value? {
            let trace = FlowTrace { _, _ in }
            return try player.replay(player.timeline.inputs[step - 1], after: step - 1, trace)
                .rendering["n"]
        }
        for _ in 1...6 { try player.send("up") }
        #expect(try playedAgain(6) == 12)
        #expect(try playedAgain(6) == 13)
        // New inputs do not change this.
        try player.send("up")
        #expect(try playedAgain(6) == 15)
        // A later state cannot be used to start from.
        #expect(try playedAgain(5) == 20)
        #expect(try playedAgain(6) == 22)
        // The steps after one were replaced by others.
        try player.go(to: 5)
        try player.send("up")
        #expect(try playedAgain(6) == 34)
        #expect(try playedAgain(6) == 35)
    }

    @Test func aSecretIsNotShownInTheValueOfAnExpression() async throws {
        var options = FlowOptions()
        options.secrets = ["password"]
        let session = try await FlowSession.open(
            .text(
                """
                local Login = { name = "login", state = {} }
                local function shape(text)
                    local copy = text
                    return copy:upper()
                end
                Login.apply = {
                    enter = function(state, action)
                        local copy = "it is " .. action.password
                        state.shape = shape(copy)
                    end,
                }
                function Login.render() return {} end
                return Login
                """, name: "login.lua", modules: [:]), options: options)
        try await session.send(["type": "enter", "password": "hunter2"])
        let points = [
            LogPoint(file: "login.lua", line: 4, text: "{copy:reverse()} {#copy} {copy}"),
            LogPoint(
                file: "login.lua", line: 9, text: "{action}", condition: "copy:find('hunter2')"),
            LogPoint(file: "login.lua", line: 9, text: "{action.password:upper()} {copy}"),
        ]
        #expect(
            try await texts(points, in: session) == [
                "[SECRET] it is [secret]", "]terces[ si ti 14 it is [secret]",
            ])
    }

    @Test func oneValueIsReadOfALargeTable() async throws {
        let session = try await FlowSession.open(
            .text(
                """
                local Large = { name = "large", state = {} }
                function Large.render()
                    -- Of a table that is not plain, so much is not copied.
                    local all = { last = { i = 20000, rows = {} }, print }
                    for i = 1, 20000 do
                        all.last.rows[i] = { n = i }
                    end
                    return {}
                end
                return Large
                """, name: "large.lua", modules: [:]))
        let text = "{all.last.rows[all.last.i].n} {#all.last.rows} {all['last'].rows[7].n}"
        let point = LogPoint(file: "large.lua", line: 8, text: text)
        #expect(try await texts([point], in: session) == ["20000 20000 7"])
    }

    @Test func stepsThatThereAreNotAreRefused() async throws {
        let session = try await session()
        await #expect(throws: FlowError.self) {
            try await session.log(
                [LogPoint(file: "list.lua", line: 23, text: "")], steps: 0...500
            ) { _ in }
        }
    }
}
