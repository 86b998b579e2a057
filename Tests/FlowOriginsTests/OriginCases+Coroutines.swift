import PlainValue

// Flows in which other functions than the node's write a value.
extension OriginCase {
    private static func setting(_ body: String) -> String {
        """
        local function put(from, to)
            to.n = from.n --tail
            to.after = 1
        end
        return {
            name = "main",
            state = { n = 0, user = { n = 0 }, list = {} },
            apply = {
                set = function(state, action)
        \(body)
                end,
            },
            render = function(state)
                return { n = state.n, user = state.user.n, first = state.list[1] } --R
            end,
        }
        """
    }

    private static func write(
        _ name: String, path: String = "n", cause: String = "state.n of main", _ body: String
    ) -> OriginCase {
        OriginCase(
            name: name, steps: [.send(["type": "set", "n": 7])], path: path, since: 1,
            causes: [cause], sender: "set { n = 7 }", flow: setting(body))
    }

    static let coroutines: [OriginCase] = [
        write(
            "in a coroutine",
            """
                local run = coroutine.wrap(function()
                    state.before = 1
                    state.n = action.n --W
                    state.after = 1
                end)
                run()
                state.last = 1
            """),
        write(
            "in a coroutine of a coroutine",
            """
                local outer = coroutine.create(function()
                    local inner = coroutine.wrap(function()
                        state.n = action.n --W
                        state.after = 1
                    end)
                    inner()
                    state.last = 1
                end)
                coroutine.resume(outer)
            """),
        write(
            "in a coroutine that goes on", path: "first", cause: "state.list[1] of main",
            """
                local add = coroutine.wrap(function(n)
                    while true do
                        state.list[#state.list + 1] = n --W
                        local unused = 1
                        n = coroutine.yield()
                    end
                end)
                add(action.n)
            """),
        write(
            "before the coroutine goes on",
            """
                local run = coroutine.wrap(function()
                    state.before = 1
                    coroutine.yield()
                    state.after = 1
                end)
                run()
                state.n = action.n --W
                run()
            """),
        write(
            "what a coroutine yields",
            """
                local next_number = coroutine.wrap(function()
                    local first = 1
                    coroutine.yield(action.n)
                end)
                state.n = next_number() --W
                state.last = 1
            """),
        write(
            "what an iterator yields",
            """
                local function each(n)
                    return coroutine.wrap(function()
                        for i = 1, n do
                            coroutine.yield(i)
                        end
                    end)
                end
                for i in each(action.n) do
                    state.last = i
                    state.n = i --W
                end
            """),
        write(
            "what comes of a coroutine that fails",
            """
                local run = coroutine.create(function()
                    state.before = 1
                    error("no")
                end)
                state.n = coroutine.resume(run) or action.n --W
                state.last = 1
            """),
        write(
            "by a function that is called last", "        return put(action, state)"
        ).marking("tail"),
        write(
            "through a variable that was the state", path: "user",
            cause: "state.user.n of main",
            """
                state.before = 1
                state = state.user
                state.n = action.n --W
            """),
        OriginCase(
            name: "rendered in a coroutine", path: "n", since: 0, causes: ["state.n of main"],
            sender: "",
            flow: """
                local Names = { first = "a" }
                return {
                    name = "main",
                    state = { n = 1 }, --W
                    render = function(state)
                        local shown = {}
                        local fill = coroutine.wrap(function()
                            shown.name = Names.first
                            shown.n = state.n --R
                            coroutine.yield()
                            shown.last = 1
                        end)
                        fill()
                        fill()
                        return shown
                    end,
                }
                """),
    ]

    private func marking(_ mark: String) -> OriginCase {
        OriginCase(
            name: name, steps: steps, path: path, since: since, causes: causes, sender: sender,
            flow: flow.replacing("--\(mark)", with: "--W"))
    }
}
