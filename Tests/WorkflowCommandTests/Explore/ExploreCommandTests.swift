import FlowExploring
import Foundation
import PlainValue
import TestSupport
import Testing

@Suite struct ExploreCommandTests {
    private static let door = """
        local Door = { name = "door", state = { open = false } }

        Door.apply = {
            open = function(state) state.open = true end,
            lock = function(state) state.locked = true end,
            crack = function(state) state.codes = state.codes + 1 end,
            paint = function(state, action)
                assert(action.color, "paint needs a color")
                state.color = action.color
            end,
        }

        function Door.render(state, context)
            if state.locked then return { locked = true } end
            return {
                open = not state.open and context:sink("open") or nil,
                lock = context:sink("lock"),
                crack = state.open and context:sink("crack") or nil,
            }
        end

        return Door

        """

    private func run(_ arguments: String..., files: [String: String] = [:]) async throws -> Outcome
    { try await Folder(["door.lua": Self.door].merging(files) { $1 }).run(["explore"] + arguments) }

    @Test func findingsArePrintedWithTheirSteps() async throws {
        let outcome = try await run("door.lua", "--only-sinks", "--action", "paint")
        #expect(
            outcome.stdout == """
                dead end: nothing that can be done here changes anything
                steps:
                  1. lock
                  refused here: paint: paint needs a color

                error: attempt to perform arithmetic on a nil value (field 'codes')
                  ┌─ door.lua:6
                  │
                5 │     lock = function(state) state.locked = true end,
                6 │     crack = function(state) state.codes = state.codes + 1 end,
                7 │     paint = function(state, action)
                  │
                  = in apply.crack of door
                  = the action was rolled back; the state is as before
                  = locals: state = { open = true }
                help: 'codes' is not set here; give it a value, or write (codes or 0)
                steps:
                  1. open
                  2. crack

                dead end: nothing that can be done here changes anything
                steps:
                  1. open
                  2. lock
                  refused here: paint: paint needs a color

                never taken: paint: paint needs a color (with other fields? --action 'paint{ … }')
                door: 3 found in 4 states and 3 steps between them; that is all there is

                """)
        #expect(outcome.status == 1)
    }

    @Test func nothingFoundEndsWithZero() async throws {
        let scene = try testScene()
        let outcome = try await scene.run(
            "explore", "flow.lua", "--action", "add{ by = 1 }", "--max-states", "3")
        #expect(
            outcome.stdout == """
                flow: nothing found in 3 states and 2 steps between them; stopped at --max-states

                """)
        #expect(outcome.status == 0)
    }

    private static let form = """
        local Form = { name = "form", state = { screen = "edit", names = { "", "" } } }
        Form.apply = {
            edit = function(state, action) state.names[action.at] = action.text or "" end,
            done = function(state) state.screen = "done" end,
        }
        function Form.render(state, context)
            local fields = {}
            for at in ipairs(state.names) do
                fields[at] = { edit = context:sink("edit", { at = at }) }
            end
            return { screen = state.screen, fields = fields, done = context:sink("done") }
        end
        return Form
        """

    @Test func fieldsThatAFormReadsAreAskedFor() async throws {
        let outcome = try await run("form.lua", "--only-sinks", files: ["form.lua": Self.form])
        #expect(
            outcome.stdout.contains(
                "never given: text of edit (give it: --action 'edit{ text = … }')\n"))
        let given = try await run(
            "form.lua", "--only-sinks", "--action", #"fields[2].edit{ text = "x" }"#, "--json",
            files: ["form.lua": Self.form])
        #expect(given.stdout.contains(#""states":4"#))
        let wrong = try await run(
            "form.lua", "--action", "fields[2.edit", files: ["form.lua": Self.form])
        #expect(wrong.stderr.hasPrefix("error: not an action: fields[2.edit\n"))
        #expect(wrong.status == 64)
    }

    @Test func statesOfAGraphAreNamedByWhatDiffers() async throws {
        let one = try await run(
            "form.lua", "--only-sinks", "--graph", "dot", files: ["form.lua": Self.form])
        #expect(one.stdout.contains(#"s0 [label="edit", penwidth=2];"#))
        #expect(one.stdout.contains(#"s1 [label="done"];"#))
        let two = try await run(
            "form.lua", "--only-sinks", "--action", #"fields[1].edit{ text = "x" }"#, "--graph",
            "dot", files: ["form.lua": Self.form])
        #expect(two.stdout.contains(#"{ names = { \"x\", \"\" }, screen = \"edit\" }"#))
    }

    @Test func manyDeadEndsAreCounted() async throws {
        let trap = """
            local Trap = { state = {}, apply = {} }
            for n = 1, 7 do Trap.apply["fall_" .. n] = function(state) state.hole = n end end
            function Trap.render(state, context)
                if state.hole then return { hole = state.hole } end
                local ways = {}
                for n = 1, 7 do ways[n] = context:sink("fall_" .. n) end
                return { ways = ways }
            end
            return Trap
            """
        let outcome = try await run("trap.lua", "--only-sinks", files: ["trap.lua": trap])
        let deadEnds = (1...5).map { n in
            """
            dead end: nothing that can be done here changes anything
            steps:
              1. ways[\(n)]


            """
        }.joined()
        #expect(
            outcome.stdout == deadEnds + """
                … and 2 more dead ends

                trap: 7 found in 8 states and 7 steps between them; that is all there is

                """)
        #expect(outcome.status == 1)
    }

    @Test func workerThatNeverRanIsNamed() async throws {
        let flow = """
            return {
                render = function(state, context)
                    context:run("clock.after", { seconds = 1 })
                    return {}
                end,
            }
            """
        let outcome = try await run(
            "flow.lua", "--worker", "clock.aftr=1", "--worker-error", "weather.now=gone",
            files: ["flow.lua": flow])
        #expect(
            outcome.stdout.contains(
                """
                never ran: worker clock.aftr (did you mean clock.after?)
                never ran: worker weather.now (no state that was seen runs it)

                """))
    }

    @Test func workerThatWasNotPlayedIsNamedWithTheOptionThatPlaysIt() async throws {
        let waiter = """
            return {
                state = { n = 0 },
                apply = { turn = function(state) state.n = 1 - state.n end },
                render = function(state, context)
                    context:run("file.read", { path = "a" }, { on_output = "turn" })
                    return { turn = context:sink("turn") }
                end,
            }
            """
        let outcome = try await run("waiter.lua", files: ["waiter.lua": waiter])
        #expect(
            outcome.stdout == """
                never did anything: worker file.read (let it: --worker 'file.read=…')
                waiter: nothing found in 2 states and 2 steps between them; that is all there is

                """)
        #expect(outcome.status == 0)
    }

    private static let light = """
        local Light = { name = "light", state = { color = "red", turns = 0 } }
        local following = { red = "green", green = "red" }
        Light.apply = {
            turn = function(state)
                state.color, state.turns = following[state.color], state.turns + 1
            end,
            smash = function(state) state.color = "dark" end,
        }
        function Light.render(state, context)
            if state.color == "dark" then return { color = "dark" } end
            return { color = state.color, turn = context:sink("turn"), smash = context:sink("smash") }
        end
        return Light

        """

    @Test func boundsEndsAndWhatComesAboutArePrinted() async throws {
        let outcome = try await run(
            "light.lua", "--only-sinks", "--within", "state.turns < 2", "--end",
            "state.color == 'dark'", "--eventually", "state.color == 'green'", "--reachable",
            "state.turns == 2", "--reachable", "state.color == 'blue'", "--action", "rows[1].turn",
            files: ["light.lua": Self.light])
        #expect(
            outcome.stdout == """
                reachable: state.color == 'blue' is true in no state seen

                eventually: state.color == 'green' never becomes true on this way
                steps:
                  1. smash
                  then  it may end there

                reachable: state.turns == 2
                steps:
                  1. turn
                  2. turn

                never there: rows[1].turn (no rendering that was seen has this sink)
                light: 2 found in 5 states and 4 steps between them; that is all within, and 1 just beyond

                """)
        #expect(outcome.status == 1)
    }

    @Test func graphCanBeNamedByAField() async throws {
        let files = ["light.lua": Self.light]
        let outcome = try await run(
            "light.lua", "--only-sinks", "--within", "state.turns < 3", "--graph-by", "color",
            "--end", "state.color == 'dark'", files: files)
        #expect(
            outcome.stdout == """
                stateDiagram-v2
                    s0 : red
                    s1 : dark
                    s2 : green
                    [*] --> s0
                    s0 --> s1 : smash
                    s0 --> s2 : turn
                    s2 --> s1 : smash
                    s2 --> s0 : turn
                    s1 --> [*]

                """)
        let wrong = try await run("light.lua", "--graph-by", "colour", files: files)
        #expect(
            wrong.stderr == """
                error: no state that was seen has a field colour. Did you mean 'color'?
                help: give the path of a field of the rendering, or of the state as state.NAME

                """)
        #expect(wrong.status == 64)
        let noPath = try await run("light.lua", "--graph-by", "a..b", files: files)
        #expect(
            noPath.stderr == """
                error: 'a..b' is not a path: column 3: expected a name
                help: write a path such as rows[1].text

                """)
    }

    @Test func wayThatMissesIsWrittenAsATest() async throws {
        let scene = try Folder(["light.lua": Self.light])
        let outcome = try await scene.run(
            "explore", "light.lua", "--only-sinks", "--eventually", "state.color == 'green'",
            "--end", "state.color == 'dark'", "--max-depth", "2", "--write-test", "found_test.lua")
        #expect(outcome.status == 1)
        let file = scene.url.appendingPathComponent("found_test.lua")
        #expect(
            try String(contentsOf: file, encoding: .utf8) == """
                -- What workflow-run explore found: these tests fail until the flow is mended.
                local Flow = require "light"

                describe("light", function()
                    it("eventually: state.color == 'green'", function()
                        local flow = workflow.test(Flow)
                        flow:loosely()
                        local came = false
                        local function look()
                            local state, rendering, props = flow.state, flow.rendering, {}
                            came = came or (state.color == 'green')
                        end
                        look()
                        flow:send(flow.rendering.smash)
                        look()
                        assert(came, "it never came about")
                    end)
                end)

                """)
        let tests = try await scene.run("test", "found_test.lua")
        #expect(tests.stdout.contains("error: it never came about"))
        #expect(tests.status == 1)
    }

    @Test func outputsAreGuessedByWhatPluginsDeclare() async throws {
        let reader = """
            return {
                state = {},
                apply = {
                    got = function(state, action) state.text = action.output.content:upper() end,
                    failed = function(state, action) state.problem = action.error.message end,
                },
                render = function(state, context)
                    if state.text or state.problem then return { final = true } end
                    context:run("file.read", { path = "a" }, { on_output = "got", on_error = "failed" })
                    return {}
                end,
            }
            """
        let outcome = try await run(
            "reader.lua", "--only-sinks", "--guess", "--fail-workers", "--reachable", "state.text",
            "--reachable", "state.problem", files: ["reader.lua": reader])
        #expect(
            outcome.stdout.hasSuffix(
                "\nreader: nothing found in 3 states and 2 steps between them; that is all there is\n"
            ), "\(outcome.stdout)")
        #expect(outcome.status == 0)
    }

    @Test func walksAreCounted() async throws {
        let outcome = try await run(
            "light.lua", "--only-sinks", "--max-states", "2", "--walks", "3", "--end",
            "state.color == 'dark'", files: ["light.lua": Self.light])
        #expect(
            outcome.stdout.hasSuffix("stopped at --max-states, then walked 3 times at random\n"))
    }

    @Test func neverExpressionMayHoldAtTheBeginning() async throws {
        let outcome = try await run("door.lua", "--only-sinks", "--never", "not state.open")
        #expect(
            outcome.stdout.hasPrefix(
                """
                never: not state.open is true
                  at the beginning


                """))
        #expect(outcome.status == 1)
    }

    @Test func timeThatIsUsedUpIsSaid() async throws {
        let outcome = try await run("door.lua", "--only-sinks", "--max-seconds", "1e-9")
        #expect(outcome.stdout.hasSuffix("between them; stopped at --max-seconds\n"))
    }

    @Test func memoryThatIsUsedUpIsSaid() async throws {
        let scene = try Folder([
            "flow.lua": """
            return {
                state = { n = 0 },
                apply = { up = function(state) state.n = state.n + 1 end },
                render = function(state) return ("%08d"):format(state.n):rep(50000) end,
            }
            """
        ])
        let outcome = try await scene.run("explore", "flow.lua", "--max-megabytes", "1")
        #expect(
            outcome.stdout == """
                flow: nothing found in 3 states and 2 steps between them; stopped at --max-megabytes

                """)
        #expect(outcome.status == 0)
        let json = try await scene.run("explore", "flow.lua", "--max-megabytes", "1", "--json")
        #expect(try Value(json: json.stdout)["limit"] == "max_megabytes")
    }

    @Test func namesCannotLeaveTheirQuotes() async throws {
        let flow = #"""
            local name = '"\u{301} ]; "\27[31m\u{9b}\r\n'
            return {
                name = name, state = { n = 0 },
                apply = { [name] = function(state) state.n = 1 end },
                render = function(state) return {} end,
            }
            """#
        let dot = try await run("flow.lua", "--graph", "dot", files: ["flow.lua": flow])
        #expect(
            dot.stdout == #"""
                digraph "\"\#u{301} ]; \"\\u{1B}[31m\\u{9B}\\u{D}\\n" {
                    node [shape=box, style=rounded];
                    s0 [label="{ n = 0 }", penwidth=2];
                    s1 [label="{ n = 1 }"];
                    s0 -> s1 [label="\"\#u{301} ]; \"\\u{1B}[31m\\u{9B}\\u{D}\\n"];
                }

                """#)
        let mermaid = try await run("flow.lua", "--graph", "mermaid", files: ["flow.lua": flow])
        #expect(
            mermaid.stdout.hasSuffix(
                """
                    s0 --> s1 : #34;\u{301} ]#59; #34;#92;u#123;1B#125;[31m#92;u#123;9B#125;#92;u#123;D#125;#92;n

                """))
    }

    @Test func graphGoesToStandardOutputAndTheReportToStandardError() async throws {
        let mermaid = try await run(
            "door.lua", "--only-sinks", "--graph", "mermaid", "--max-depth", "1")
        #expect(
            mermaid.stdout == """
                stateDiagram-v2
                    s0 : #123; open = false #125;
                    s1 : #123; locked = true, open = false #125;
                    s2 : #123; open = true #125;
                    [*] --> s0
                    s0 --> s1 : lock
                    s0 --> s2 : open

                """)
        #expect(
            mermaid.stderr
                == "door: nothing found in 3 states and 2 steps between them; stopped at --max-depth\n"
        )
        let dot = try await run("door.lua", "--only-sinks", "--graph", "dot", "--max-depth", "1")
        #expect(
            dot.stdout == """
                digraph "door" {
                    node [shape=box, style=rounded];
                    s0 [label="{ open = false }", penwidth=2];
                    s1 [label="{ locked = true, open = false }"];
                    s2 [label="{ open = true }"];
                    s0 -> s1 [label="lock"];
                    s0 -> s2 [label="open"];
                }

                """)
    }

    @Test func whatIsFoundIsPrintedAsJSON() async throws {
        let outcome = try await run("door.lua", "--only-sinks", "--json")
        let seen = try Value(json: outcome.stdout)
        #expect(seen["type"] == "exploration")
        #expect(seen["states"] == 4)
        #expect(seen["complete"] == true)
        #expect(seen["findings"]?.list?.map { $0["kind"] } == ["dead_end", "error", "dead_end"])
        #expect(
            seen["findings"]?[1]?["steps"] == [
                ["title": "open", "sink": "open", "node": "door", "action": ["type": "open"]],
                ["title": "crack", "sink": "crack", "node": "door", "action": ["type": "crack"]],
            ])
        #expect(outcome.status == 1)
    }

    @Test func findingsAreWrittenAsFailingTests() async throws {
        let scene = try Folder(["door.lua": Self.door])
        let arguments = [
            "explore", "door.lua", "--only-sinks", "--never", "state.open and state.locked",
            "--props", "{\"a b\": [null, {}]}", "--write-test", "found_test.lua",
        ]
        #expect(try await scene.run(arguments).status == 1)
        let file = scene.url.appendingPathComponent("found_test.lua")
        let arg = "{ [\"a b\"] = { workflow.null, {} } }"
        #expect(
            try String(contentsOf: file, encoding: .utf8) == """
                -- What workflow-run explore found: these tests fail until the flow is mended.
                local Flow = require "door"

                describe("door", function()
                    it("leads on after lock", function()
                        local flow = workflow.test(Flow, \(arg))
                        flow:loosely()
                        flow:send(flow.rendering.lock)
                        error "nothing that can be done here changes anything: say here what should"
                    end)

                    it("does not fail: attempt to perform arithmetic on a nil value (field 'codes')", function()
                        local flow = workflow.test(Flow, \(arg))
                        flow:loosely()
                        flow:send(flow.rendering.open)
                        flow:send(flow.rendering.crack)
                    end)

                    it("never: state.open and state.locked", function()
                        local flow = workflow.test(Flow, \(arg))
                        flow:loosely()
                        flow:send(flow.rendering.open)
                        flow:send(flow.rendering.lock)
                        local state, rendering, props = flow.state, flow.rendering, \(arg)
                        assert(not (state.open and state.locked))
                    end)

                    it("leads on after open, lock", function()
                        local flow = workflow.test(Flow, \(arg))
                        flow:loosely()
                        flow:send(flow.rendering.open)
                        flow:send(flow.rendering.lock)
                        error "nothing that can be done here changes anything: say here what should"
                    end)
                end)

                """)
        let broken = try await scene.run("test", "found_test.lua")
        #expect(broken.steadyOutput.hasSuffix("\n0 passed, 4 failed in T\n"))
        let again = try await scene.run(arguments)
        #expect(
            again.stderr == """
                error: there is a file found_test.lua already
                help: write to a new file, or remove this one first

                """)
        #expect(again.status == 64)
        let elsewhere = try await scene.run(
            "explore", "door.lua", "--write-test", "/tmp/x_test.lua")
        #expect(
            elsewhere.stderr == """
                error: /tmp/x_test.lua is not in the flow's folder, so its tests could not load the flow
                help: write to ./door_found_test.lua

                """)
    }

    @Test func workersArePlayedAndWrittenDown() async throws {
        let scene = try Folder([
            "page.lua": """
            return {
                state = {},
                apply = {
                    loaded = function(state, action) state.n = action.output.n + 1 end,
                    failed = function(state, action) error(action.error.missing.x) end,
                },
                render = function(state, context)
                    if not state.n then
                        context:run("web.get", {}, { key = 1, on_output = "loaded", on_error = "failed" })
                    end
                    return { again = state.n and context:sink("again") }
                end,
            }

            """
        ])
        let outcome = try await scene.run(
            "explore", "page.lua", "--only-sinks", "--worker", "web.get={\"n\": \"x\"}",
            "--worker-error", "web.get=gone: not there", "--write-test", "found_test.lua")
        #expect(outcome.stdout.contains("\nsteps:\n  1. web.get:1 gives { n = \"x\" }\n"))
        #expect(outcome.stdout.contains("\nsteps:\n  1. web.get:1 fails: not there\n"))
        let file = scene.url.appendingPathComponent("found_test.lua")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(
            text.contains(
                "flow:worker(\"web.get\", { key = \"1\", node = \"page\" }):output({ n = \"x\" })\n"
            ))
        #expect(text.contains(":fail({ code = \"gone\", message = \"not there\" })\n"))
        let tests = try await scene.run("test")
        #expect(tests.stdout.contains("error: attempt to add a 'string' with a 'number'"))
        #expect(tests.stdout.contains("error: attempt to index a nil value (field 'missing')"))
    }

    @Test(arguments: [
        (
            ["gone.lua"], 66,
            """
            error: there is no file gone.lua
            help: give the path of a flow file, such as Examples/hello/hello.lua

            """
        ),
        (
            ["door.lua", "--action", "1"], 64,
            """
            error: not an action: 1
            help: write --action 'add{ text = "milk" }' or '{"type": "add"}'

            """
        ),
        (
            ["door.lua", "--action", "add{"], 64,
            """
            error: not an action: add{
            help: write --action 'add{ text = "milk" }' or '{"type": "add"}'

            """
        ),
        (
            ["door.lua", "--worker", "http.get"], 64,
            """
            error: not the name of a worker: http.get
            help: write --worker 'http.get={"status": 200}'

            """
        ),
        (
            ["door.lua", "--worker", "http.get={"], 64,
            """
            error: the output of http.get is not JSON: line 1, column 2: expected a key in double quotes, \
            found the end of the text
            help: write --worker 'http.get={"status": 200}'

            """
        ),
        (
            ["door.lua", "--never", "state.x.y"], 65,
            """
            error: attempt to index a nil value (field 'x')
              = in load
              = in the expression state.x.y

            """
        ),
    ])
    func whatCannotBeExploredIsSaid(
        _ arguments: [String], _ status: Int32, _ text: String
    ) async throws {
        let outcome = try await Folder(["door.lua": Self.door]).run(["explore"] + arguments)
        #expect(outcome.stderr == text)
        #expect(outcome.status == status)
    }
}
