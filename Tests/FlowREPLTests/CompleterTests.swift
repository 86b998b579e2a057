import Foundation
import LuaSyntax
import PlainValue
import TestSupport
import Testing

@testable import FlowChecking
@testable import FlowREPL
@testable import Terminal

@Suite struct CompleterTests {
    private let completer = Completer(
        actions: ["add", "add_all", "finish"], fields: ["add": ["text", "due"], "toggle": ["at"]],
        rendering: [
            "title": "Todo", "add": ["$sink": ["node": "todo", "action": ["type": "add"]]],
            "rows": [
                [
                    "text": "milk",
                    "toggle": [
                        "$sink": ["node": "todo/item:1", "action": ["type": "toggle", "id": 1]]
                    ],
                ], ["text": "tea"],
            ],
        ],
        names: [
            ("state", ["items": [["id": 1, "text": "milk"]], "next_id": 2]), ("rendering", [:]),
            ("wide", ["a b": 1, "plain": 2]), ("wides", [["a b": 1, "plain": 2]]),
        ], nodes: ["todo", "todo/item:1"], workers: ["clock.every", "http.get"])

    @Test(arguments: [
        ("", "", ["add", "add_all", "finish", "rows"]),
        ("ad", "ad", ["add", "add_all"]),
        ("fi", "fi", ["finish"]),
        ("x", "x", []),
        ("ro", "ro", ["rows"]),
        ("rows[", "[", ["[1]"]),
        ("rows[1]", "", [".toggle"]),
        ("rows[1].", "", ["toggle"]),
        ("rows[1].to", "to", ["toggle"]),
        ("rows[2].", "", []),
        ("add{ ", "", ["due = ", "text = "]),
        ("add{ text = \"x\", d", "d", ["due = "]),
        ("add{ text = t", "t", []),
        ("rows[1].toggle{ ", "", ["at = ", "id = "]),
        (".t", ".t", [".tree", ".timeline", ".trace", ".test"]),
        (".help un", "un", ["undo"]),
        (".state todo/", "todo/", ["todo/item:1"]),
        (".undo x", "x", []),
        ("= sta", "sta", ["state"]),
        ("= #state.", "", ["items", "next_id"]),
        ("= state.items[1].t", "t", ["text"]),
        ("= state.items[1", "[1", ["[1]"]),
        ("= 1 + ren", "ren", ["rendering"]),
        ("= stri", "stri", ["string"]),
        ("= nothing.x", "x", []),
        ("= string.re", "re", ["rep", "reverse"]),
        ("= math.type", "type", ["type"]),
        (".rendering ro", "ro", ["rows"]),
        ("= wide.", ".", ["[\"a b\"]", ".plain"]),
        ("= wide.p", "p", ["plain"]),
        ("= state.items.", ".", ["[1]"]),
        ("= wides[1]", "", ["[\"a b\"]", ".plain"]),
        (".rendering rows[1].te", "te", ["text"]),
        (".mute c", "c", ["clock.every"]),
        (".undo m", "m", ["mine"]),
        (".help context:s", "context:s", ["context:sink"]),
    ])
    func typedTextIsCompleted(_ text: String, _ typed: String, _ candidates: [String]) {
        let completion = completer.complete(text)
        #expect(completion.typed == typed)
        #expect(completion.candidates == candidates)
    }

    @Test func filesAreCompleted() throws {
        let scene = try Folder(["one.lua": "", "other.jsonl": "", ".hidden": "", "two.lua": ""])
        let folder = scene.path + "/"
        #expect(
            completer.complete(".load \(folder)o").candidates
                == [folder + "one.lua", folder + "other.jsonl"])
        #expect(completer.complete(".save \(folder)").candidates.count == 3)
        #expect(completer.complete(".loa \(folder).h").candidates == [folder + ".hidden"])
        #expect(completer.complete(".load \(scene.path)").candidates == [folder])
        #expect(completer.complete(".load /no/such/folder/").candidates == [])
    }

    @Test func fieldsAreReadFromTheSource() {
        let fields = ActionFields(
            source: Array(
                """
                local Flow = { apply = {
                    add = function(state, action) state.text = action.text .. action.type end,
                    put = function(state, a)
                        if a.key then
                            state[a.key] = a.value
                        end
                        other.a.b = not_a.c
                    end,
                    reset = function(state) state.action = 1 end,
                } }
                Flow.apply.move = function(_, action, context)
                    return action.to
                end
                local function helper(state, action) return action.nothing end
                local Ops = {}
                function Ops:reset(state) state.n = state.nothing end
                return Flow
                """.utf8))
        #expect(fields.fields == ["add": ["text"], "put": ["key", "value"], "move": ["to"]])
    }

    @Test func filesOfTheFlowAreCompletedForTheirLines() throws {
        let scene = try Folder(["flow.lua": "", "parts/row.lua": "", "notes.txt": ""])
        let completer = Completer(folder: scene.path)
        func candidates(_ text: String) -> [String] { completer.complete(text).candidates }
        #expect(candidates(".log ") == ["flow.lua:", "parts/", "off"])
        #expect(candidates(".log parts/") == ["parts/row.lua:"])
        #expect(candidates(".log flow.lua:3") == [])
    }
}
