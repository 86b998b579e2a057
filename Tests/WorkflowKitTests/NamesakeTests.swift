import LuaVM
import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowKit
import WorkflowLua

/// Definitions that have one name, or none, and take turns in one place of the tree.
@Suite struct NamesakeTests {
    /// The definitions before the flow that renders `A` or `B`, and the condition for `B`.
    struct Pair: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var text: String
        var modules: [String: String] = [:]
        var picks = "state.second and B or A"

        static func form(_ title: String) -> String {
            """
            {
                state = { text = "" },
                apply = { set = function(state, action) state.text = action.text end },
                render = function(state, context)
                    return { title = "\(title)", text = state.text, set = context:sink "set" }
                end,
            }
            """
        }

        static let made = """
            {
                name = name,
                state = { text = "" },
                apply = { set = function(state, action) state.text = action.text end },
                render = function(state, context)
                    return { title = title, text = state.text, set = context:sink "set" }
                end,
            }
            """

        static let all = [
            Pair(
                testDescription: "two without a name",
                text: "local A = \(form("a"))\nlocal B = \(form("b"))"),
            Pair(
                testDescription: "two in one line",
                text: "local A, B = \(form("a")), \(form("b"))"
                    .split(separator: "\n").joined(separator: " ")),
            Pair(
                testDescription: "two of one name",
                text: """
                    local A = \(form("a"))
                    local B = \(form("b"))
                    A.name, B.name = "form", "form"
                    """),
            Pair(
                testDescription: "two that one function makes",
                text: """
                    local function make(title, name) return \(made) end
                    local A, B = make "a", make "b"
                    """),
            Pair(
                testDescription: "two of one name that one function makes",
                text: """
                    local function make(title, name) return \(made) end
                    local A, B = make("a", "form"), make("b", "form")
                    """),
            Pair(
                testDescription: "fields of a table",
                text: "local forms = { \(form("a")), other = { b = \(form("b")) } }",
                picks: "state.second and forms.other.b or forms[1]"),
            Pair(
                testDescription: "modules of one name in two folders",
                text: "local A, B = require \"one.form\", require \"two.form\"",
                modules: ["one.form": "return \(form("a"))", "two.form": "return \(form("b"))"]),
            Pair(
                testDescription: "a module that makes both", text: "",
                modules: [
                    "forms": """
                    local function make(title, name) return \(made) end
                    return { a = make "a", b = make "b" }
                    """
                ], picks: "require \"forms\"[state.second and \"b\" or \"a\"]"),
            Pair(
                testDescription: "two that are made when they are first needed",
                text: """
                    local made = {}
                    local function form(title, name)
                        made[title] = made[title] or \(made)
                        return made[title]
                    end
                    """, picks: "form(state.second and \"b\" or \"a\")"),
            Pair(
                testDescription: "two in the render", text: "",
                picks: "state.second and \(form("b")) or \(form("a"))"),
        ]
    }

    private static func flow(_ pair: Pair, _ more: String = "") -> FlowSource {
        .text(
            """
            \(pair.text)
            return {
                name = "steps", \(more)
                state = { second = false, turns = 0 },
                apply = {
                    turn = function(state)
                        state.second = not state.second
                        state.turns = state.turns + 1
                    end,
                    stay = function(state) state.turns = state.turns + 1 end,
                },
                render = function(state, context)
                    return { turns = state.turns, form = context:render(\(pair.picks)) }
                end,
            }
            """, name: "steps.lua", modules: pair.modules)
    }

    private static func options(_ isolation: LuaVM.Options.Isolation) -> FlowOptions {
        var options = FlowOptions(limits: .unhurried)
        options.isolation = isolation
        return options
    }

    private func set(_ text: String, in session: FlowSession) async throws {
        let sink = await session.rendering["form"]?["set"]?["$sink"]
        let node = try #require(sink?["node"]?.string)
        try await session.send(["type": "set", "text": .string(text)], to: NodePath(node))
    }

    private func expect(_ title: String, _ text: String, in session: FlowSession) async {
        let form = await session.rendering["form"]
        #expect(form?["title"] == .string(title))
        #expect(form?["text"] == .string(text))
    }

    #if os(Linux)
        private static let isolations: [LuaVM.Options.Isolation] = [.none, .process]
    #else
        private static let isolations: [LuaVM.Options.Isolation] = [.none]
    #endif

    @Test(arguments: Pair.all, isolations) func oneDoesNotGetTheStateOfTheOther(
        _ pair: Pair, _ isolation: LuaVM.Options.Isolation
    ) async throws {
        let session = try await FlowSession.open(Self.flow(pair), options: Self.options(isolation))
        await expect("a", "", in: session)
        try await set("one", in: session)
        try await session.send("stay")
        await expect("a", "one", in: session)
        try await session.send("turn")
        await expect("b", "", in: session)
        try await set("two", in: session)
        try await session.send("stay")
        await expect("b", "two", in: session)
        try await session.send("turn")
        await expect("a", "", in: session)

        try await session.go(to: 5)
        await expect("b", "two", in: session)
        try await session.go(to: 2)
        await expect("a", "one", in: session)
        #expect(try await session.rendering(at: 5)["form"]?["text"] == "two")
        await session.close()
    }

    @Test(arguments: Pair.all, isolations) func snapshotsBelongToTheOneThatIsShown(
        _ pair: Pair, _ isolation: LuaVM.Options.Isolation
    ) async throws {
        let session = try await FlowSession.open(Self.flow(pair), options: Self.options(isolation))
        try await session.send("turn")
        try await set("two", in: session)
        let snapshot = try await session.snapshot()
        let inputs = await session.inputs
        await session.close()
        let restored = try await FlowSession.open(
            Self.flow(pair), options: Self.options(isolation),
            restoring: FlowSnapshot(json: snapshot.json.utf8))
        await expect("b", "two", in: restored)
        try await restored.send("turn")
        await expect("a", "", in: restored)
        await restored.close()
        let replayed = try await FlowSession.open(
            Self.flow(pair), options: Self.options(isolation), replaying: inputs)
        await expect("b", "two", in: replayed)
        await replayed.close()
    }

    @Test func snapshotsOfEarlierVersionsAreRestored() async throws {
        let pair = Pair.all[0]
        let session = try await FlowSession.open(Self.flow(pair))
        try await session.send("turn")
        try await set("two", in: session)
        let document = try await session.snapshot().document
        await session.close()
        let nodes = try #require(document["nodes"]?.list)
        #expect(nodes.map { $0["definition"] } == [nil, "B"])
        var older = try #require(document.record)
        older["nodes"] = .list(
            of: nodes.map { node in
                var fields = node.record ?? [:]
                fields["definition"] = nil
                return .record(fields)
            })
        let restored = try await FlowSession.open(
            Self.flow(pair), restoring: FlowSnapshot(document: .record(older)))
        await expect("b", "two", in: restored)
        await restored.close()
    }

    @Test(arguments: [Pair.all[0], Pair.all[3]])
    func aFlowThatShowsTheOtherDoesNotGiveItTheState(_ pair: Pair) async throws {
        let session = try await FlowSession.open(Self.flow(pair))
        try await set("one", in: session)
        var snapshot = try await session.snapshot()
        await session.close()
        snapshot.isLenient = true
        var swapped = pair
        swapped.picks = "state.second and A or B"
        let restored = try await FlowSession.open(Self.flow(swapped), restoring: snapshot)
        await expect("b", "", in: restored)
        await restored.close()
        // A variable that is gone is a definition that has another one.
        var renamed = pair
        renamed.text = pair.text.replacing("A", with: "First")
        renamed.picks = "state.second and B or First"
        let other = try await FlowSession.open(Self.flow(renamed), restoring: snapshot)
        await expect("a", "one", in: other)
        await other.close()
    }

    @Test func bothInOneRenderNeedNames() async throws {
        let flow = FlowSource.text(
            """
            local A = { render = function() return "a" end }
            local B = { render = function() return "b" end }
            return {
                name = "steps",
                render = function(state, context)
                    return { context:render(A), context:render(B) }
                end,
            }
            """, name: "steps.lua")
        let error = await #expect(throws: FlowError.self) { try await FlowSession.open(flow) }
        #expect(error?.message == "two children 'steps' without a key in one render")
        #expect(error?.notes == ["the first is at steps.lua:6"])
        #expect(
            error?.help == "give each definition a name of its own, such as { name = \"login\", … }"
        )
    }

    @Test func bothInOneRenderCanHaveKeys() async throws {
        let pair = Pair.all[0]
        let flow = FlowSource.text(
            """
            \(pair.text)
            return {
                name = "steps",
                render = function(state, context)
                    return { a = context:render(A, {}, { key = 1 }), b = context:render(B, {}, { key = 2 }) }
                end,
            }
            """, name: "steps.lua")
        let session = try await FlowSession.open(flow)
        try await session.send(["type": "set", "text": "two"], to: "steps/steps:2")
        #expect(await session.rendering["a"]?["text"] == "")
        #expect(await session.rendering["b"]?["text"] == "two")
        await session.close()
    }

    /// Such a definition is another table each time.
    @Test func aDefinitionThatEachRenderMakesAnewKeepsItsNode() async throws {
        let session = try await FlowSession.open(
            Self.flow(
                Pair(
                    testDescription: "",
                    text: "local function make(title, name) return \(Pair.made) end",
                    picks: "make(\"a\" .. state.turns)")))
        try await set("one", in: session)
        for turn in 1...20 {
            try await session.send("stay")
            await expect("a\(turn)", "one", in: session)
        }
        await session.close()
    }
}
