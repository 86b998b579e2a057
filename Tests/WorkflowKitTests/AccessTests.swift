import LuaVM
import PlainValue
import TestFlows
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

@Suite struct AccessTests {
    private static func source(_ access: String) -> FlowSource {
        .text(
            """
            local Box = { state = { owner = "ann", n = 0 } }
            Box.apply = { add = function(state) state.n = state.n + 1 end }
            function Box.render(state) return { n = state.n } end
            \(access)
            return Box
            """, name: "box.lua")
    }

    private static func access(_ body: String) -> FlowSource {
        source("function Box.access(principal, what, state, props) \(body) end")
    }

    @Test func aFlowDecidesByWhoAndWhatAndWhatItHolds() async throws {
        let session = try await FlowSession.open(
            Self.access(
                """
                if what["do"] == "read" then return props.isPublic == true end
                return principal.name == state.owner and what.action.type == "add"
                """), options: FlowOptions(props: ["isPublic": true]))
        let add: Value = ["do": "send", "action": ["type": "add"]]
        #expect(try await session.allows(Principal("ann"), add))
        #expect(try await !session.allows(Principal("bob"), add))
        let other: Value = ["do": "send", "action": ["type": "x"]]
        #expect(try await !session.allows(Principal("ann"), other))
        #expect(try await session.allows(Principal("bob"), ["do": "read"]))
        try await session.update(props: ["isPublic": false])
        #expect(try await !session.allows(Principal("bob"), ["do": "read"]))
        await session.close()
    }

    @Test func aFlowThatSaysNothingLetsEverybodyDoEverything() async throws {
        let session = try await FlowSession.open(Self.source(""))
        #expect(try await session.allows(Principal("ann"), ["do": "undo"]))
        await session.close()
    }

    @Test func whatAnEarlierStepShowsDecidesThere() async throws {
        let session = try await FlowSession.open(Self.access("return state.n == 0"))
        #expect(try await session.allows(Principal("ann"), ["do": "read"]))
        try await session.send("add")
        #expect(try await !session.allows(Principal("ann"), ["do": "read"]))
        try await session.undo()
        #expect(try await session.allows(Principal("ann"), ["do": "read"]))
        await session.close()
    }

    struct Hostile: Sendable, CustomTestStringConvertible {
        let body: String
        let code: FlowError.Code
        let message: String
        var testDescription: String { body }
    }

    @Test(arguments: [
        Hostile(body: "while true do end", code: .instructionLimit, message: "instructions"),
        Hostile(body: "error('no luck')", code: .lua, message: "no luck"),
        Hostile(body: "coroutine.yield(true)", code: .lua, message: "outside a coroutine"),
        Hostile(body: "state.n = 100; return true", code: .lua, message: "read-only"),
        Hostile(body: "principal.name = 'ann'; return true", code: .lua, message: "read-only"),
        Hostile(body: "table.insert(what, 1); return true", code: .lua, message: "read-only"),
        Hostile(body: "return", code: .lua, message: "true or false, not nil"),
        Hostile(body: "return 'yes'", code: .lua, message: "true or false, not a string"),
        Hostile(body: "return {}", code: .lua, message: "true or false, not a table"),
        Hostile(body: "return string.rep('x', 1e9)", code: .memoryLimit, message: "memory"),
    ]) func whatIsNoAnswerRefusesAndIsTold(_ hostile: Hostile) async throws {
        let recorder = EventRecorder()
        var options = FlowOptions(limits: .unhurried)
        options.limits.instructionLimit = 1_000_000
        let session = try await FlowSession.open(
            Self.access(hostile.body), options: options, onEvent: recorder.note)
        let before = await session.rendering
        let error = await #expect(throws: FlowError.self) {
            _ = try await session.allows(Principal("bob"), ["do": "read"])
        }
        #expect(error?.code == hostile.code)
        #expect(error?.message.contains(hostile.message) ?? false, "\(String(describing: error))")
        #expect(error?.phase == .access)
        #expect(recorder.errors.count == 1)
        #expect(await session.rendering == before)
        #expect(await session.stepCount == 0)
        try await session.send("add")
        #expect(await session.rendering["n"] == 1)
        await session.close()
    }

    @Test func randomNumbersGoOnAsIfNobodyHadAsked() async throws {
        let text = """
            local Dice = { state = { thrown = {} } }
            Dice.apply = {
                throw = function(state, action, context)
                    table.insert(state.thrown, context:random(1, 1000000))
                end,
            }
            function Dice.render(state) return { thrown = state.thrown } end
            function Dice.access() return math.random(2) < 3 end
            return Dice
            """
        var shown: [Value] = []
        for asks in [false, true] {
            let session = try await FlowSession.open(.text(text, name: "dice.lua"))
            for _ in 0..<3 {
                if asks { #expect(try await session.allows(Principal("ann"), ["do": "read"])) }
                try await session.send("throw")
            }
            shown.append(await session.rendering)
            await session.close()
        }
        #expect(shown[0] == shown[1])
    }

    @Test func aDefinitionWhoseAccessIsNoFunctionIsRefused() async throws {
        await #expect {
            _ = try await FlowSession.open(Self.source("Box.access = true"))
        } throws: { error in
            (error as? FlowError)?.message
                == "'access' of the definition of box is a boolean; it must be a function(principal, what, state, props)"
        }
    }

    @Test func aProcessOfItsOwnDecidesTheSame() async throws {
        var options = FlowOptions(limits: .unhurried)
        options.isolation = .process
        let session = try await FlowSession.open(
            Self.access("return principal.name == state.owner"), options: options)
        #expect(try await session.allows(Principal("ann"), ["do": "read"]))
        #expect(try await !session.allows(Principal("bob"), ["do": "read"]))
        await session.close()
    }
}
