import LuaVM
import TestSupport
import WorkerKit
import WorkflowKit
import WorkflowPlugins

extension FlowSource {
    static let diary = FlowSource.diary(extra: "")

    static func diary(extra: String) -> FlowSource {
        .text(
            """
            local Diary = { name = "diary", state = { entries = {} } }

            Diary.apply = {
                add = function(state, action)
                    assert(action.n, "add needs n")
                    table.insert(state.entries, action.n)
                    return action.n
                end,
                roll = function(state, action, context)
                    table.insert(state.entries, context:random(1, 1000000))
                end,
                stamp = function(state, action, context)
                    table.insert(state.entries, context.now)
                end,
            }

            function Diary.render(state, context)
                return { entries = state.entries, title = context.props.title, \(extra) }
            end

            return Diary
            """, name: "diary.lua")
    }

    /// Keeps the outputs of the worker `test.next`, which it asks for numbers up to a last one.
    static let follower = FlowSource.text(
        """
        local Follower = { name = "follower", state = { entries = {}, last = 0 } }

        Follower.apply = {
            follow = function(state, action) state.last = action.last end,
            got = function(state, action)
                table.insert(state.entries, action.output)
                return action.output
            end,
        }

        function Follower.render(state, context)
            if #state.entries < state.last then
                context:run("test.next", { after = #state.entries }, { on_output = "got" })
            end
            return { entries = state.entries }
        end

        return Follower
        """, name: "follower.lua")

    /// A root whose child fails while `boom` is set.
    static let fragile = FlowSource.text(
        """
        local Child = { name = "child", state = { changes = 0 } }
        function Child.changed(_, new, state)
            state.changes = state.changes + 1
            if new.boom then error("no booms") end
        end
        function Child.render(state) return { changes = state.changes } end

        local Flow = { name = "fragile", state = { n = 0, boom = false } }
        Flow.apply = {
            boom = function(state) state.n, state.boom = state.n + 1, not state.boom end,
        }
        function Flow.render(state, context)
            return { n = state.n, child = context:render(Child, { boom = state.boom }) }
        end
        return Flow
        """, name: "fragile.lua")

    static let chain = FlowSource.text(
        """
        local Link = { name = "link", state = { n = 0 } }
        Link.apply = { add = function(state) state.n = state.n + 1 end }
        function Link.render(state, context)
            local sum = state.n
            if context.props.below > 0 then
                sum = sum + context:render(Link, { below = context.props.below - 1 }).sum
            end
            return { sum = sum, add = context:sink("add") }
        end
        return Link
        """, name: "chain.lua")
}

/// `test.next`: one output, the next number.
struct Next: PluginWorker {
    static let name = "test.next"
    static let summary = "Gives the next number."

    struct Input: Codable, Sendable { var after: Int }

    var onStart: @Sendable (Int) async -> Void = { _ in }

    func run(_ input: Input, context: WorkerContext) async throws -> Int {
        await onStart(input.after)
        return input.after + 1
    }
}

extension FlowOptions {
    static func test(
        onStart: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws -> FlowOptions {
        var options = FlowOptions()
        options.plugins = try WorkerRegistry([
            Plugin("test", version: "1", workers: [Next(onStart: onStart)])
        ])
        // Tests run concurrently with others.
        options.limits.timeLimit = .unreached
        return options
    }
}
