import FlowOrigins
import LuaVM
import PlainValue
import Synchronization
import Testing
import TestSupport
import Workflow
import WorkflowKit
import WorkflowLua

@Suite(.timeLimit(.minutes(15))) struct OriginTests {
    @Test(
        arguments: OriginCase.all + OriginCase.coroutines + OriginCase.beginnings
            + OriginCase.together + OriginCase.reading + OriginCase.nodes,
        LuaVM.Options.Isolation.all)
    func theOriginIsFound(_ seeded: OriginCase, _ isolation: LuaVM.Options.Isolation) async throws {
        let session = try await seeded.play(isolation: isolation)
        let origin = try await session.origin(of: try ValuePath(parsing: seeded.path))
        #expect(origin.since == seeded.since)
        #expect(origin.places(.rendered) == seeded.places(of: "R"))
        #expect(origin.places(.placed) == seeded.places(of: "L"))
        #expect(origin.places(.cause) == seeded.places(of: "P"))
        #expect(origin.places(.write) == seeded.places(of: "W"))
        #expect(origin.places(.sender) == seeded.places(of: "S"))
        #expect(origin.subjects(.cause) == seeded.causes)
        #expect(origin.findings.last { $0.kind == .sender }?.subject ?? "" == seeded.sender)
        #expect(ValueOrigin(document: origin.document) == origin)
        // The search leaves nothing behind.
        #expect(try await session.origin(of: try ValuePath(parsing: seeded.path)) == origin)
        await session.close()
    }

    private func seeded(_ name: String) throws -> OriginCase {
        try #require(OriginCase.all.first { $0.name == name })
    }

    @Test func whatMattersOnlyTogetherIsToldSo() async throws {
        let session = try await seeded("two changed, together only").play()
        let origin = try await session.origin(of: try ValuePath(parsing: "shown"))
        #expect(
            origin.findings.filter { $0.kind == .cause }.map(\.detail) == [
                "only together with state.b of main: it is false again",
                "only together with state.a of main: it is false again",
            ])
    }

    private struct Bell: Workflow {
        struct Props: Decodable {}
        struct State: Codable {}
        let ring: @Sendable () -> Int
        func makeInitialState() -> State { State() }
        func render(state: State, context: RenderContext<Bell>) -> Int { ring() }
    }

    /// Whenever the search is interrupted, it reports nothing wrong.
    @Test func anInterruptionIsNoOrigin() async throws {
        let rings = Mutex((left: Int.max, ring: (@Sendable () -> Void)?.none))
        let session = try await FlowSession.open(
            .text(
                """
                return {
                    state = { a = 1, b = 1, c = 1 },
                    apply = {
                        set = function(state) state.a, state.b, state.c = 2, 2, 2 end,
                    },
                    render = function(state, context)
                        if context:render("bell", {}) == 1 then while true do end end
                        return { sum = state.a + state.b }
                    end,
                }
                """, name: "sum.lua", modules: [:]),
            options: FlowOptions(
                limits: .unhurried,
                registerNativeWorkflows: { natives in
                    natives.register("bell", props: Bell.Props.self) { _ in
                        Bell {
                            let ring = rings.withLock { rings in
                                rings.left -= 1
                                return rings.left == 0 ? rings.ring : nil
                            }
                            ring?()
                            return ring == nil ? 0 : 1
                        }
                    }
                }))
        try await session.send("set")
        rings.withLock { $0.ring = { session.interrupt() } }
        let path = try ValuePath(parsing: "sum")
        let origin = try await session.origin(of: path)
        let point = LogPoint(file: "sum.lua", line: 8, text: "{state.a}")
        let hits = try await session.log([point], steps: 0...1).map(\.document)
        var interrupted = 0
        for count in 1...40 {
            rings.withLock { $0.left = count }
            do throws(FlowError) {
                #expect(try await session.origin(of: path) == origin)
            } catch {
                #expect(error.code == .interrupted)
                interrupted += 1
            }
            rings.withLock { $0.left = count }
            do throws(FlowError) {
                #expect(try await session.log([point], steps: 0...1).map(\.document) == hits)
            } catch {
                #expect(error.code == .interrupted)
                interrupted += 1
            }
            rings.withLock { $0.left = .max }
        }
        #expect(interrupted > 0)
        // It keeps the session, whose options keep it.
        rings.withLock { $0.ring = nil }
        await session.close()
    }

    @Test func aValueOfThePastIsExplainedThere() async throws {
        let session = try await seeded("a field that came and one that went").play()
        try await session.go(to: 1)
        let origin = try await session.origin(of: try ValuePath(parsing: "label"))
        #expect(origin.since == 1)
        #expect(origin.value == "open")
        #expect(await session.step == 1)
    }

    @Test func aPathThatIsNotThereIsAnError() async throws {
        let session = try await seeded("direct").play()
        let error = await #expect(throws: FlowError.self) {
            try await session.origin(of: try ValuePath(parsing: "title.x"))
        }
        #expect(error?.message == "there is no title.x in the rendering")
    }

    @Test func aVariableOutsideOfTheStateIsNeverShownAsThePast() async throws {
        let flow = """
            local calls = 0
            return {
                name = "main",
                state = { n = 0 },
                apply = { up = function(state) state.n = state.n + 1; calls = calls + 10 end },
                render = function(state) return { n = state.n, calls = calls } end,
            }
            """
        let session = try await FlowSession.open(.text(flow, name: "main.lua"))
        try await session.send("up")
        try await session.send("up")
        let error = await #expect(throws: FlowError.self) {
            try await session.origin(of: try ValuePath(parsing: "calls"))
        }
        #expect(error?.message.hasPrefix("played again, step") == true)
        #expect(try await session.origin(of: try ValuePath(parsing: "n")).since == 2)
    }

    @Test func secretsAreNotShown() async throws {
        let flow = """
            return {
                name = "main",
                state = { pin = "" },
                apply = { set = function(state, action) state.pin = action.pin end },
                render = function(state) return { pin = state.pin, length = #state.pin } end,
            }
            """
        let folder = try Folder()
        var options = FlowOptions()
        options.journal = try FlowJournal(path: folder.path + "/s.jsonl", secrets: ["pin"])
        let session = try await FlowSession.open(.text(flow, name: "main.lua"), options: options)
        try await session.send(["type": "set", "pin": "4711"])
        for path in ["pin", "length"] {
            let origin = try await session.origin(of: try ValuePath(parsing: path))
            #expect(!origin.document.json.contains("4711"))
            #expect(origin.places(.write) == ["main.lua:4"])
        }
        let subjects: [OriginSubject] = [
            .state(ValuePath(), of: nil), .state(ValuePath([.key("pin")]), of: nil),
            .action(ValuePath([.key("pin")]), of: nil), .rendering(ValuePath([.key("length")])),
        ]
        for subject in subjects {
            let origin = try await session.origin(of: subject, through: 3)
            #expect(!origin.document.json.contains("4711"))
        }
        let frame = FlowFrame(
            step: 1, node: "main", phase: .apply("set"), call: 1,
            location: .init(file: "main.lua", line: 4), hits: 1, level: 0, names: [])
        for text in ["action.pin", "action", "action.pin .. '!'"] {
            let origin = try await session.origin(ofExpression: text, in: frame, through: 1)
            #expect(!origin.document.json.contains("4711"))
        }
        let asked = #"action.pin == "4711""#
        let guess = try await session.origin(ofExpression: asked, in: frame, through: 1)
        #expect(guess.value == false)
        let point = try LogPoint(parsing: "main.lua:4: {action.pin} {action} {#action.pin}")
        let hits = try await session.log([point], steps: 0...1)
        #expect(
            hits.map { try? $0.content.get().text } == [
                "[secret] { pin = \"[secret]\", type = \"set\" } 8"
            ])
    }

    @Test func tooManyChangesAreToldOf() async throws {
        let flow = """
            return {
                name = "main",
                state = { values = {} },
                apply = {
                    fill = function(state)
                        for index = 1, 100 do state["f" .. index] = index end
                    end,
                },
                render = function(state)
                    local sum = 0
                    for index = 1, 100 do sum = sum + (state["f" .. index] or 0) end
                    return { first = state.f1 or 0, sum = sum }
                end,
            }
            """
        let session = try await FlowSession.open(.text(flow, name: "main.lua"))
        try await session.send("fill")
        let first = try await session.origin(of: try ValuePath(parsing: "first"))
        #expect(first.subjects(.cause) == ["state.f1 of main"])
        #expect(!first.findings.contains { $0.kind == .note })
        let origin = try await session.origin(of: try ValuePath(parsing: "sum"))
        #expect(
            origin.findings.contains {
                $0.kind == .note
                    && $0.subject == "100 paths could matter; only the first 64 were tried"
            })
    }
}
