import FlowOrigins
import LuaVM
import PlainValue
import Testing
import TestSupport
import Workflow
import WorkflowKit
import WorkflowLua

@Suite(.timeLimit(.minutes(15))) struct OriginReadTests {
    private static let till = OriginCase(
        name: "till",
        steps: [
            .send(["type": "set", "to": 3]), .send(["type": "add", "n": 5, "x": 1]), .send("idle"),
        ], path: "total", since: 2, causes: ["state.total of main"], sender: "",
        flow: """
            return {
                name = "main",
                state = { total = 0, factor = 2, idle = 0, log = {} },
                apply = {
                    set = function(state, action)
                        state.factor = action.to
                    end,
                    add = function(state, action)
                        local sum = 0
                        for place = 1, 2 do
                            sum = sum + action.n * place
                        end
                        state.log[#state.log + 1] = action.x
                        state.total = state.total + sum * state.factor
                    end,
                    idle = function(state) state.idle = #state.log end,
                },
                render = function(state)
                    return { total = state.total, idle = state.idle }
                end,
            }
            """)

    private static func path(_ name: String) -> ValuePath { ValuePath([.key(name)]) }

    private func lines(_ origin: ValueOrigin) -> [String] {
        origin.findings.map { finding in
            let place = finding.kind == .write ? "" : " \(finding.detail)"
            return "\(finding.kind) \(finding.subject)\(place)"
        }
    }

    private func origin(
        _ seeded: OriginCase, _ subject: OriginSubject, at step: Int? = nil, through depth: Int,
        _ isolation: LuaVM.Options.Isolation = .none
    ) async throws -> ValueOrigin {
        let session = try await seeded.play(isolation: isolation)
        let origin = try await session.origin(of: subject, at: step, through: depth)
        #expect(ValueOrigin(document: origin.document) == origin)
        await session.close()
        return origin
    }

    @Test(arguments: LuaVM.Options.Isolation.all)
    func aStateSaysWhatItsWriteRead(_ isolation: LuaVM.Options.Isolation) async throws {
        let origin = try await origin(
            Self.till, .state(Self.path("total"), of: nil), through: 1, isolation)
        #expect(origin.path == "state.total of main")
        #expect(origin.value == 45)
        #expect(origin.since == 2)
        #expect(
            lines(origin) == [
                "write main.lua:14", "call apply.add of main add { n = 5, x = 1 }",
                "sender add { n = 5, x = 1 } to main", "read action.n 5",
                "read state.factor of main since step 1",
                "read state.total of main from the beginning, made from itself",
                "note not followed further, as asked: state.factor of main since step 1 ",
            ])
    }

    @Test(arguments: LuaVM.Options.Isolation.all)
    func whatWasReadIsFollowed(_ isolation: LuaVM.Options.Isolation) async throws {
        let origin = try await origin(
            Self.till, .rendering(Self.path("total")), through: 2, isolation)
        #expect(
            lines(origin) == [
                "rendered main return { total = state.total, idle = state.idle }",
                "cause state.total of main put back alone: it is 0 again", "write main.lua:14",
                "call apply.add of main add { n = 5, x = 1 }",
                "sender add { n = 5, x = 1 } to main", "read action.n 5",
                "read state.factor of main since step 1", "write main.lua:6",
                "call apply.set of main set { to = 3 }", "sender set { to = 3 } to main",
                "read action.to 3", "read state.total of main from the beginning, made from itself",
                "write main.lua:3", "call the first state of main ",
            ])
    }

    @Test(arguments: LuaVM.Options.Isolation.all) func randomNumbersTheTimeAndPropsAreRead(
        _ isolation: LuaVM.Options.Isolation
    ) async throws {
        let seeded = OriginCase(
            name: "",
            modules: [
                "kid": """
                local Kid = { name = "kid" }
                function Kid.state(props) return { best = props.n } end
                function Kid.changed(old, new, state)
                    if new.n > state.best then state.best = new.n end
                end
                function Kid.render(state) return { best = state.best } end
                return Kid
                """
            ], steps: [.send("roll"), .send("clock"), .send(["type": "set", "n": 4])], path: "",
            since: 0, causes: [], sender: "",
            flow: """
                local Kid = require "kid"
                local Main = { name = "main", state = { die = 0, at = 0, n = 1 } }
                Main.apply = {
                    roll = function(state, _, context) state.die = context:random(1000000) end,
                    clock = function(state, _, context) state.at = context.now end,
                    set = function(state, action) state.n = action.n end,
                }
                function Main.render(state, context)
                    return { kid = context:render(Kid, { n = state.n }) }
                end
                return Main
                """)
        let die = try await origin(seeded, .state(Self.path("die"), of: nil), through: 1, isolation)
        #expect(lines(die).filter { $0.hasPrefix("read") } == ["read random numbers "])
        let time = try await origin(seeded, .state(Self.path("at"), of: nil), through: 1, isolation)
        #expect(lines(time).filter { $0.hasPrefix("read") } == ["read the time "])
        let best = try await origin(
            seeded, .state(Self.path("best"), of: NodePath("main/kid")), through: 1, isolation)
        #expect(best.subjects(.cause) == ["state.n of main"])
        #expect(best.places(.cause) == ["main.lua:9"])
        #expect(lines(best).last == "read action.n 4")
    }

    @Test func theLengthOfAListIsRead() async throws {
        let origin = try await origin(Self.till, .state(Self.path("idle"), of: nil), through: 1)
        #expect(lines(origin).contains("read state.log of main since step 2"))
        #expect(origin.findings.count { $0.kind == .read } == 1)
    }

    @Test func theStateOfAnEarlierStepIsExplained() async throws {
        let origin = try await origin(
            Self.till, .state(Self.path("factor"), of: nil), at: 1, through: 1)
        #expect(
            lines(origin) == [
                "write main.lua:6", "call apply.set of main set { to = 3 }",
                "sender set { to = 3 } to main", "read action.to 3",
            ])
    }

    @Test func valuesThatHangOnEachOtherAreToldSo() async throws {
        let flow = """
            return {
                name = "main",
                state = { a = 1, b = 1 },
                apply = {
                    ping = function(state) state.a = state.b + 1 end,
                    pong = function(state) state.b = state.a + 1 end,
                },
                render = function(state) return { a = state.a } end,
            }
            """
        let pingPong = OriginCase(
            name: "", steps: [.send("ping"), .send("pong"), .send("ping")], path: "a", since: 3,
            causes: [], sender: "", flow: flow)
        let origin = try await origin(pingPong, .state(Self.path("a"), of: nil), through: 5)
        #expect(
            lines(origin).filter { $0.hasPrefix("read") } == [
                "read state.b of main since step 2",
                "read state.a of main since step 1: "
                    + "state.a of main and state.b of main hang on each other",
                "read state.b of main from the beginning: "
                    + "state.a of main and state.b of main hang on each other",
            ])
    }

    @Test func causesThatWereMadeFromTheSameAreToldSo() async throws {
        let flow = """
            return {
                name = "main",
                state = { a = 0, b = 0, c = 0 },
                apply = {
                    set = function(state, action)
                        state.a = action.n
                        state.b = state.a * 2
                        state.c = action.m
                    end,
                },
                render = function(state) return { sum = state.a + state.b + state.c } end,
            }
            """
        let seeded = OriginCase(
            name: "", steps: [.send(["type": "set", "n": 3, "m": 4])], path: "sum", since: 1,
            causes: [], sender: "", flow: flow)
        let origin = try await origin(seeded, .rendering(Self.path("sum")), through: 1)
        #expect(
            lines(origin).filter { $0.hasPrefix("note") } == [
                "note state.a of main and state.b of main hang together: made from action.n "
            ])
    }

    @Test func noMoreWritesAreFollowedThanTheBound() async throws {
        let flow = """
            return {
                name = "main",
                state = { n = 0 },
                apply = { up = function(state) state.n = state.n + 1 end },
                render = function(state) return { n = state.n } end,
            }
            """
        let seeded = OriginCase(
            name: "", steps: Array(repeating: .send("up"), count: 70), path: "n", since: 70,
            causes: [], sender: "", flow: flow)
        let origin = try await origin(seeded, .state(Self.path("n"), of: nil), through: 1000)
        #expect(origin.findings.count { $0.kind == .write } == 65)
        #expect(
            lines(origin).last
                == "note not followed further, after 64 writes: state.n of main since step 5 ")
    }

    private static let list = OriginCase(
        name: "list",
        modules: [
            "row": """
            local Row = { name = "row" }
            function Row.state(props) return { first = props.text:upper(), clicks = 0 } end
            function Row.render(state, context)
                return { text = context.props.text, first = state.first }
            end
            Row.apply = {
                pick = function(state, action, context)
                    state.clicks = state.clicks + 1
                    return { id = context.props.id, by = action.by * 2 }
                end,
            }
            return Row
            """
        ],
        steps: [
            .send(["type": "push", "text": "b"]),
            .send(["type": "pick", "by": 2, "other": 1], "main/row:2"),
        ], path: "", since: 0, causes: [], sender: "",
        flow: """
            local Row = require "row"
            local Main = { name = "main" }
            Main.state = { picked = 0, texts = { "a" } }
            Main.apply = {
                push = function(state, action)
                    state.texts[#state.texts + 1] = action.text
                end,
                picked = function(state, action)
                    state.picked = action.id
                end,
            }
            function Main.render(state, context)
                local rows = {}
                for index, text in ipairs(state.texts) do
                    rows[index] = context:render(Row, {
                        id = index,
                        text = text .. "!",
                    }, {
                        key = index,
                        on_output = function(output)
                            return { type = "picked", id = output.id, by = output.by }
                        end,
                    })
                end
                return { rows = rows }
            end
            return Main
            """)

    @Test(arguments: LuaVM.Options.Isolation.all)
    func propsSayWhoMadeThem(_ isolation: LuaVM.Options.Isolation) async throws {
        let node = NodePath("main/row:2")
        let origin = try await origin(
            Self.list, .props(Self.path("text"), of: node), through: 1, isolation)
        #expect(origin.value == "b!")
        #expect(origin.since == 1)
        #expect(origin.findings.first?.location?.description == "main.lua:17")
        #expect(origin.subjects(.cause) == ["state.texts[2] of main"])
        #expect(origin.places(.write) == ["main.lua:6"])
        #expect(
            lines(origin).filter { $0.hasPrefix("read") } == [
                "read action.text \"b\"", "read state.texts of main from the beginning",
            ])
    }

    @Test(arguments: LuaVM.Options.Isolation.all) func anActionSaysWhereItsFieldsComeFrom(
        _ isolation: LuaVM.Options.Isolation
    ) async throws {
        let origin = try await origin(
            Self.list, .action(Self.path("by"), of: NodePath("main")), through: 1, isolation)
        #expect(origin.path == "action.by of main")
        #expect(origin.value == 4)
        #expect(origin.since == 2)
        #expect(origin.places(.sender) == ["row.lua:9"])
        #expect(lines(origin).filter { $0.hasPrefix("read") } == ["read action.by 2"])
        let typed = try await self.origin(
            Self.list, .action(Self.path("by"), of: NodePath("main/row:2")), through: 1, isolation)
        #expect(
            lines(typed) == [
                "call apply.pick of main/row:2 pick { by = 2, other = 1 }",
                "sender pick { by = 2, other = 1 } to main/row:2",
            ])
    }

    @Test func theStateOfANewNodeSaysWhatMadeIt() async throws {
        let node = NodePath("main/row:2")
        let origin = try await origin(Self.list, .state(Self.path("first"), of: node), through: 1)
        #expect(
            lines(origin) == [
                "write row.lua:2", "call the first state of main/row:2 ",
                "sender push { text = \"b\" } to main", "read action.text \"b\"",
            ])
    }

    @Test func aVariableThatAFunctionWithinChangesIsExplained() async throws {
        let seeded = OriginCase(
            name: "", steps: [.send(["type": "run", "limit": 7])], path: "", since: 0, causes: [],
            sender: "",
            flow: """
                local function twice(n)
                    local total = n
                    total = total * 2
                    return total
                end
                local Main = { name = "main", state = { list = { 3, 4, 5 }, factor = 2, sum = 0 } }
                Main.apply = {
                    run = function(state, action)
                        local total, index = 0, 0
                        local function add(n)
                            local part = n * state.factor
                            total = total + part
                        end
                        for place, item in ipairs(state.list) do
                            add(item)
                            if total > action.limit then break end
                        end
                        index = twice(total)
                        state.sum = index
                    end,
                }
                function Main.render(state) return { sum = state.sum } end
                return Main
                """)
        let session = try await seeded.play()
        /// The value, its writer and what was read for it, at a line that is met for some time.
        func told(_ text: String, _ line: Int, _ hits: Int, _ level: Int = 0) async throws -> String
        {
            let frame = FlowFrame(
                step: 1, node: "main", phase: .apply("run"), call: 1,
                location: .init(file: "main.lua", line: line), hits: hits, level: level, names: [])
            let origin = try await session.origin(ofExpression: text, in: frame, through: 1)
            let reads = origin.findings.filter { $0.kind == .read }.map { finding in
                finding.subject.replacing(" of main", with: "")
            }
            let lines = origin.places(.write).joined(separator: " ")
            return "\(origin.value ?? .null) \(lines): \(reads.joined(separator: ", "))"
        }
        #expect(try await told("part", 12, 2) == "8 main.lua:11: state.factor, state.list[2]")
        #expect(try await told("total", 11, 2) == "6 main.lua:12: state.factor, state.list[1]")
        #expect(
            try await told("total", 16, 2)
                == "14 main.lua:12: state.factor, state.list[1], state.list[2]")
        #expect(try await told("item", 16, 2) == "4 main.lua:14: state.list[2]")
        #expect(try await told("item", 11, 2, 1) == "4 main.lua:14: state.list[2]")
        #expect(try await told("n", 11, 2) == "4 main.lua:15: state.list[2]")
        // A local of a function of the same name is another variable.
        #expect(
            try await told("total", 4, 1)
                == "28 main.lua:3: action.limit, state.factor, state.list[1], state.list[2]")
        #expect(
            try await told("index", 19, 1)
                == "28 main.lua:18: action.limit, state.factor, state.list[1], state.list[2]")
        await session.close()
    }

    @Test(arguments: LuaVM.Options.Isolation.all)
    func aVariableOfAFrameIsExplained(_ isolation: LuaVM.Options.Isolation) async throws {
        let session = try await Self.till.play(isolation: isolation)
        let add = FlowFrame(
            step: 2, node: "main", phase: .apply("add"), call: 1,
            location: .init(file: "main.lua", line: 11), hits: 2, level: 0,
            names: ["sum", "action", "state"])
        let sum = try await session.origin(ofExpression: "sum", in: add, through: 1)
        #expect(sum.value == 5)
        #expect(
            lines(sum) == [
                "write main.lua:11", "call apply.add of main add { n = 5, x = 1 }",
                "read action.n 5",
            ])
        let factor = try await session.origin(ofExpression: "state.factor", in: add, through: 1)
        #expect(factor.value == 3)
        #expect(lines(factor).contains("read state.factor of main since step 1"))
        await #expect(throws: FlowError.self) {
            try await session.origin(ofExpression: "sum +", in: add, through: 1)
        }
        var render = add
        (render.phase, render.call, render.hits) = (.render, 2, 1)
        render.location.line = 19
        let state = try await session.origin(ofExpression: "state.total", in: render, through: 1)
        #expect(state.value == 45)
        #expect(
            lines(state).filter { $0.hasPrefix("read") } == [
                "read action.n 5", "read state.factor of main since step 1",
                "read state.total of main from the beginning",
            ])
        render.location.line = 1
        let error = await #expect(throws: FlowError.self) {
            try await session.origin(ofExpression: "state", in: render, through: 1)
        }
        #expect(error?.message == "'state' has no value where step 2 is played again")
        await session.close()
    }
}
