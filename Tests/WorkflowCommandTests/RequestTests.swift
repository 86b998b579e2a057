import PlainValue
import Testing

/// Invalid requests: each gives an error, and the run continues.
@Suite struct RequestTests {
    private static let counter = """
        return {
            state = { n = 0 },
            apply = {
                add = function(state, action)
                    if action.say then print(action.say) end
                    state.n = state.n + 1
                end,
                finish = function(state) return { n = state.n } end,
            },
            render = function(state) return { n = state.n } end,
        }
        """

    private func play(
        _ requests: String, options: [String] = []
    ) async throws -> (events: Events, outcome: Outcome) {
        let outcome = try await Scene(["flow.lua": Self.counter])
            .run(["flow.lua", "--json"] + options, input: requests)
        return (try Events(outcome.stdout), outcome)
    }

    @Test(arguments: [
        (
            "add",
            #"{"code":"bad_request","help":"a request is an object, such as {\"id\":1,\"do\":\"send\",\"action\":\"add\"}","message":"the line is no JSON: line 1, column 1: expected a value, found 'a'"}"#,
            false
        ),
        (
            "[1]",
            #"{"code":"bad_request","help":"\"do\" is one of branch, diff, eval, find, follow, fork, forms, goto, inputs, interrupt, journal, log, messages, narrow, node, nodes, overview, patches, props, quit, recording, redo, reload, rendering, retry, send, snapshot, states, status, test, timeline, tree, undo, unfork, value, why, worker","message":"a request is an object with a \"do\""}"#,
            false
        ),
        (
            #"{"id":"a"}"#,
            #"{"code":"bad_request","help":"\"do\" is one of branch, diff, eval, find, follow, fork, forms, goto, inputs, interrupt, journal, log, messages, narrow, node, nodes, overview, patches, props, quit, recording, redo, reload, rendering, retry, send, snapshot, states, status, test, timeline, tree, undo, unfork, value, why, worker","message":"a request is an object with a \"do\""}"#,
            true
        ),
        (
            #"{"id":1,"do":"snd"}"#,
            #"{"code":"bad_request","message":"there is no request 'snd'. Did you mean 'send'?"}"#,
            true
        ),
        (
            #"{"id":1,"do":"levitate"}"#,
            #"{"code":"bad_request","message":"there is no request 'levitate'; its names are branch, diff, eval, find, follow, fork, forms, goto, …"}"#,
            true
        ),
        (
            #"{"id":1,"do":"send"}"#,
            #"{"code":"bad_request","help":"such as {\"id\":1,\"do\":\"send\",\"action\":{\"type\":\"add\"}}","message":"a send has an \"action\" or a \"sink\""}"#,
            true
        ),
        (
            #"{"id":1,"do":"goto"}"#,
            #"{"code":"bad_request","help":"such as {\"id\":1,\"do\":\"goto\",\"step\":0}","message":"a goto has a \"step\""}"#,
            true
        ),
        (
            #"{"id":1,"do":"props"}"#,
            #"{"code":"bad_request","help":"such as {\"id\":1,\"do\":\"props\",\"props\":{\"name\":\"you\"}}","message":"a props has \"props\""}"#,
            true
        ),
        (
            #"{"id":1,"do":"props","props":[1]}"#,
            #"{"code":"bad_request","message":"\"props\" must be an object, not a list"}"#,
            true
        ),
        (
            #"{"id":1,"do":"eval"}"#,
            ##"{"code":"bad_request","help":"such as {\"id\":1,\"do\":\"eval\",\"expression\":\"#state.items\"}","message":"an eval has an \"expression\""}"##,
            true
        ),
        (
            #"{"id":1,"do":"reload","replay":1}"#,
            #"{"code":"bad_request","message":"\"replay\" must be true or false, not an integer"}"#,
            true
        ),
        (
            #"{"do":"send","action":"ad"}"#,
            #"{"code":"unknown_action","message":"flow has no action 'ad'. Did you mean 'add'?","node":"flow"}"#,
            false
        ),
        (
            #"{"id":1,"do":"send","action":"add","node":3}"#,
            #"{"code":"bad_request","message":"\"node\" must be the path of a node, not an integer"}"#,
            true
        ),
        (
            #"{"id":1,"do":"send","sink":{},"with":3}"#,
            #"{"code":"bad_request","message":"\"with\" must be an object, not an integer"}"#, true
        ),
        (
            #"{"id":1,"do":"send","sink":{"node":"flow"}}"#,
            #"{"code":"bad_action","help":"send a sink of the rendering as it stands","message":"a sink has the form {\"$sink\": {\"node\": …, \"action\": {…}}}"}"#,
            true
        ),
        (
            #"{"id":1,"do":"send","action":"add","node":"flow/kid"}"#,
            #"{"code":"unknown_node","message":"there is no node 'flow/kid' in the tree"}"#, true
        ),
        (
            #"{"id":1,"do":"send","action":"add","node":"//"}"#,
            #"{"code":"unknown_node","message":"'//' is not the path of a node"}"#, true
        ),
        (
            #"{"id":1,"do":"send","action":3}"#,
            #"{"code":"bad_action","help":"write \"add\" or { type = \"add\" }","message":"an action must be a string or a record, not an integer"}"#,
            true
        ),
    ])
    func badRequestIsAnErrorAndTheRunGoesOn(_ line: String, _ error: String, hasReply: Bool)
        async throws
    {
        let (events, outcome) = try await play(
            line + "\n\n" + #"{"id":"next","do":"send","action":"add"}"# + "\n")
        #expect(events.text("error") == error)
        #expect(events.of("reply").map { $0["ok"] } == (hasReply ? [false, true] : [true]))
        #expect(events.of("reply").first?["error"]?.json == (hasReply ? error : nil))
        #expect(events.renderings == [["n": 0], ["n": 1]])
        #expect(outcome.status == 0)
        #expect(outcome.stderr == "")
    }

    @Test func requestWithoutAnIDIsServedWithoutAReply() async throws {
        let (events, _) = try await play(#"{"do":"send","action":"add"}"# + "\n")
        #expect(events.types == ["ready", "rendering", "action", "rendering", "done"])
    }

    @Test func quitEndsTheRunBeforeLaterRequests() async throws {
        let (events, outcome) = try await play(
            #"{"id":1,"do":"quit"}"# + "\n" + #"{"id":2,"do":"send","action":"add"}"# + "\n")
        #expect(events.types == ["ready", "rendering", "reply", "done"])
        #expect(events.all.last?["reason"] == "quit")
        #expect(outcome.status == 0)
    }

    @Test func outputEndsTheRunUnlessItIsToGoOn() async throws {
        let requests =
            #"{"id":1,"do":"send","action":"finish"}"# + "\n"
            + #"{"id":2,"do":"send","action":"add"}"#
        let ended = try await play(requests).events
        #expect(ended.types == ["ready", "rendering", "action", "output", "reply", "done"])
        #expect(ended.all.last?["reason"] == "finished")
        let going = try await play(requests, options: ["--keep-going"]).events
        #expect(
            going.types == [
                "ready", "rendering", "action", "output", "reply", "action", "rendering", "reply",
                "done",
            ])
        #expect(going.all.last?["reason"] == "eof")
    }

    @Test func printedLineIsALogEventWithItsPlace() async throws {
        let (events, outcome) = try await play(
            #"{"do":"send","action":{"type":"add","say":"hello"}}"# + "\n")
        #expect(
            events.text("log")
                == #"{"level":"info","location":{"file":"flow.lua","line":5},"message":"hello"}"#)
        #expect(outcome.stderr == "")
    }

    @Test func lineThatIsNoTextIsAnError() async throws {
        let program = try await Scene(["flow.lua": Self.counter]).start(["flow.lua", "--json"])
        program.write(bytes: [0x22, 0xFF, 0x22, 0x0A])
        let events = try Events(try await program.finish().stdout)
        #expect(
            events.text("error") == #"{"code":"bad_request","message":"the line is no UTF-8 text"}"#
        )
    }

    @Test func integersStayIntegersAndFloatsStayFloats() async throws {
        let flow = """
            return { render = function(_, context) return context.props end }
            """
        let outcome = try await Scene(["flow.lua": flow])
            .run(
                "flow.lua", "--json", "--props", #"{"i": 3, "f": 3.0, "e": 1e300, "s": "é\u0001"}"#)
        #expect(
            outcome.stdout.contains(#""rendering":{"e":1e+300,"f":3.0,"i":3,"s":"é\u0001"}"#))
    }
}
