import LuaVM
import Testing
import TestSupport
import WorkflowKit

@testable import FlowREPL

/// A flow that lacks a field, with marks at the lines that say why.
/// `--N` is a line that would write the field, and no other line may be named as one.
struct AbsenceCase: Sendable, CustomTestStringConvertible {
    let name: String
    var files: [String: String] = [:]
    var sends: [String] = []
    let path: String
    /// The lines after `but`, without the place.
    let reasons: [String]
    /// The text after `appears after`; `nil` if nothing makes it appear.
    var after: String?
    let flow: String

    var testDescription: String { name }

    static let all: [AbsenceCase] = [
        operands(
            "the second of three operands", path: "pay", reasons: ["'state.paid == 0' is false"],
            sends: ["fill", "settle"],
            """
            local view = {}
            view.pay = state.cart > 0 and state.paid == 0 and context:sink("settle") or nil --N
            return view
            """),
        operands(
            "an operand in a constructor", path: "pay", reasons: ["'state.cart > 0' is false"],
            after: "fill",
            """
            return {
                title = "cart",
                pay = state.cart > 0 and state.paid == 0 and context:sink("settle") or nil, --N
                fill = context:sink("fill"),
            }
            """),
        operands(
            "operands over several lines", path: "form.pay",
            reasons: ["'state.paid < 0' is false"], sends: ["fill"],
            """
            return {
                form = {
                    pay = state.cart > 0 -- something to pay
                        and state.paid < 0 -- too little
                        and context:sink("settle") --N
                        or nil,
                    fill = context:sink("fill"),
                },
            }
            """.replacing("pay = state.cart > 0 --", with: "pay = state.cart > 0 --N")
                .replacing("context:sink(\"settle\") --N", with: "context:sink(\"settle\")")),
        operands(
            "two ways, both closed", path: "pay",
            reasons: ["'state.cart > 9' is false", "'state.vip' is nil"], after: "fill, fill",
            """
            return {
                pay = state.cart > 9 and context:sink("settle") or state.vip and true or nil, --N
            }
            """),
        operands(
            "a table around the field", path: "form.pay", reasons: ["'state.cart > 0' is false"],
            after: "fill",
            """
            local form = { pay = state.cart > 0 and "now" or nil } --N
            return { form = state.paid >= 0 and form or nil }
            """),
        operands(
            "a local that is not set", path: "panel", reasons: ["'state.cart > 0' is false"],
            after: "fill",
            """
            local panel
            if state.cart > 0 then
                panel = { count = state.cart } --N
            end
            return { panel = panel, paid = state.paid } --N
            """),
        operands(
            "a local of operands", path: "panel", reasons: ["'state.cart > 0' is false"],
            after: "fill",
            """
            local panel = state.cart > 0 and state.paid == 0 and { n = 1 } or nil --N
            return { panel = panel } --N
            """),
        operands(
            "a value that is nil itself", path: "vip", reasons: ["'state.vip' is nil"],
            "return { vip = state.vip } --N"),
        operands(
            "an early return with two conditions", path: "rest",
            reasons: [
                "'state.cart == 0' is true",
                "'state.paid == 0' is true, so line 12 returned before",
            ], after: "fill",
            """
            if state.cart == 0 then
                if state.paid == 0 then return { empty = true } end
            end
            return {
                rest = state.cart - state.paid, --N
            }
            """),
        operands(
            "an early return behind others", path: "rest",
            reasons: ["'state.paid == 0' is true, so line 12 returned before"], sends: ["fill"],
            after: "settle",
            """
            if state.cart == 0 then return { empty = true } end
            if state.paid == 0 then return { open = true } end
            local view = {}
            view.rest = state.cart - state.paid --N
            return view
            """),
        operands(
            "a return of a function", path: "total",
            reasons: ["'state.cart == 0' is true, so line 13 returned before"], after: "fill",
            """
            local view = {}
            local function sum()
                if state.cart == 0 then return end
                view.total = state.cart * 3 --N
            end
            sum()
            return view
            """),
        operands(
            "a function that returns nothing", path: "pay",
            reasons: ["'not enabled' is true, so line 12 returned before"], after: "fill",
            """
            local function button(label, enabled)
                if not enabled then return nil end
                return { label = label } --N
            end
            return { pay = button("pay", state.cart > 0) } --N
            """),
        operands(
            "parts in parentheses", path: "pay",
            reasons: ["'state.cart > 9' is false", "'state.settle' is false"], after: "fill, fill",
            """
            return {
                pay = (state.cart > 9 and "now") --N
                    or (state.settle and "done")
                    or nil,
            }
            """),
        operands(
            "a field that another table has too", path: "form.pay",
            reasons: ["'state.cart > 0' is false"], after: "fill",
            """
            local rows = { { pay = state.vip }, { pay = state.paid > 5 and 1 or nil } }
            local view = { rows = rows, fill = context:sink("fill") }
            view.form = {
                pay = state.cart > 0 and 1 or nil, --N
                paid = state.paid,
            }
            return view
            """),
        operands(
            "a function that is not called", path: "total", reasons: ["'state.cart > 0' is false"],
            after: "fill",
            """
            local view = {}
            local function sum(cart)
                view.total = cart * 3 --N
            end
            if state.cart > 0 then sum(state.cart) end
            return view
            """),
        operands(
            "a break before it", path: "late",
            reasons: ["'step > state.cart' is true, so line 13 left the loop before"],
            after: "fill",
            """
            local view = {}
            for step = 1, 3 do
                if step > state.cart then break end
                view.late = step --N
            end
            return view
            """),
        operands(
            "a goto over it", path: "late",
            reasons: ["'step > state.cart' is true, so line 13 went on behind it"], after: "fill",
            """
            local view = {}
            for step = 1, 3 do
                if step > state.cart then goto continue end
                view.late = step --N
                ::continue::
            end
            return view
            """),
        operands(
            "a loop over nothing", path: "last",
            reasons: ["the loop did not come to line 13"], after: "fill",
            """
            local view = {}
            for step = 1, state.cart do
                view.last = step --N
            end
            return view
            """),
        operands(
            "an action of the same name", path: "settle", reasons: ["'state.cart > 0' is false"],
            after: "fill",
            """
            local view = { fill = context:sink("fill", { settle = 1 }) }
            if state.cart > 0 then
                view.settle = context:sink("settle") --N
            end
            return view
            """),
        AbsenceCase(
            name: "a function of a module",
            files: [
                "parts.lua": """
                local parts = {}
                function parts.head(view, state)
                    if not state.open then return end
                    view.title = "open" --N
                end
                return parts
                """
            ], path: "title", reasons: ["'not state.open' is true, so line 3 returned before"],
            after: "toggle",
            flow: """
                local parts = require "parts"
                return {
                    state = { open = false },
                    apply = { toggle = function(state) state.open = not state.open end },
                    render = function(state, context)
                        local view = { toggle = context:sink("toggle") }
                        parts.head(view, state)
                        return view
                    end,
                }
                """),
        AbsenceCase(
            name: "a child of which the parent has an action of that name",
            files: [
                "row.lua": """
                local Row = {}
                function Row.render(_, context)
                    local props = context.props
                    return {
                        text = props.text,
                        rename = props.editable and context:sink("rename") or nil, --N
                    }
                end
                Row.apply = { rename = function() return { rename = true } end }
                return Row
                """
            ], path: "rows[1].rename", reasons: ["'props.editable' is false"], after: "edit",
            flow: """
                local Row = require "row"
                local Main = { state = { editable = false } }
                Main.apply = {
                    edit = function(state) state.editable = true end,
                    rename = function(state) state.rename = true end,
                }
                function Main.render(state, context)
                    local props = { text = "a", editable = state.editable, rename = 1 }
                    return {
                        edit = context:sink("edit"),
                        rows = { context:render(Row, props, { on_output = "rename" }) },
                    }
                end
                return Main
                """),
    ]

    /// A flow of a cart, whose `render` is given from line 11 on.
    private static func operands(
        _ name: String, path: String, reasons: [String], sends: [String] = [],
        after: String? = nil, _ render: String
    ) -> AbsenceCase {
        AbsenceCase(
            name: name, sends: sends, path: path, reasons: reasons, after: after,
            flow: """
                local Main = { state = { cart = 0, paid = 0, settle = false } }
                Main.apply = {
                    fill = function(state) state.cart = state.cart + 5 end,
                    settle = function(state, action)
                        state.pay = { settle = true, pay = action.pay }
                        if state.cart > 0 then state.settle, state.late = true, 1 end
                        state.paid = state.cart
                    end,
                }
                function Main.render(state, context)
                \(render)
                end
                return Main
                """)
    }
}

@Suite struct AbsenceTests {
    @Test(arguments: AbsenceCase.all, LuaVM.Options.Isolation.all)
    func whatKeepsAFieldOutIsNamed(
        _ absence: AbsenceCase, _ isolation: LuaVM.Options.Isolation
    ) async throws {
        let files = absence.files.merging(["flow.lua": absence.flow]) { $1 }
        let scene = try Folder(files)
        let talk = try await Conversation(scene.path("flow.lua"), isolation: isolation)
        for action in absence.sends { _ = await talk.answer(action) }
        let lines = await talk.answer(".why not \(absence.path)").split(separator: "\n")
        func rest(after words: String) -> [String] {
            lines.filter { $0.hasPrefix("  \(words) ") }.map {
                String($0.dropFirst(words.count + 2).drop { $0 == " " })
            }
        }
        var marked: [String] = []
        for (file, text) in files {
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated() where line.contains("--N")
            { marked.append("\(file):\(index + 1)") }
        }
        #expect(
            Set(rest(after: "written at").map { String($0.prefix { $0 != " " }) }) == Set(marked))
        let reasons = rest(after: "but").map { String($0.drop { $0 != " " }.drop { $0 == " " }) }
        #expect(reasons == absence.reasons)
        let ways = rest(after: "appears after").map { String($0.prefix { $0 != "(" }.dropLast(2)) }
        #expect(ways.first == absence.after)
    }
}
