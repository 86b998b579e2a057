import PlainValue
import TestSupport
import Testing

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
        let outcome = try await Folder(["flow.lua": Self.counter])
            .run(["flow.lua", "--json"] + options, input: requests)
        return (try Events(outcome.stdout), outcome)
    }

    /// The file `BadRequests.txt`: requests, each with its error in the next line.
    private static let bad: [[String]] = {
        let text = try? Repository.text("Tests/WorkflowCommandTests/BadRequests.txt")
        return text?.split(separator: "\n\n").map { $0.split(separator: "\n").map(String.init) }
            ?? []
    }()

    @Test func thereAreBadRequests() { #expect(Self.bad.count == 18) }

    @Test(arguments: bad) func badRequestIsAnErrorAndTheRunGoesOn(_ lines: [String]) async throws {
        let (line, error) = (lines[0], lines[1])
        let hasReply = line.contains(#""id""#)
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
        let program = try await Folder(["flow.lua": Self.counter]).start(["flow.lua", "--json"])
        program.write(bytes: [0x22, 0xFF, 0x22, 0x0A])
        let events = try Events(try await program.finish().stdout)
        #expect(
            events.text("error")
                == #"{"code":"bad_request","message":"the line is not UTF-8 text"}"#)
    }

    @Test func integersStayIntegersAndFloatsStayFloats() async throws {
        let flow = """
            return { render = function(_, context) return context.props end }
            """
        let outcome = try await Folder(["flow.lua": flow])
            .run(
                "flow.lua", "--json", "--props", #"{"i": 3, "f": 3.0, "e": 1e300, "s": "é\u0001"}"#)
        #expect(
            outcome.stdout.contains(#""rendering":{"e":1e+300,"f":3.0,"i":3,"s":"é\u0001"}"#))
    }
}
