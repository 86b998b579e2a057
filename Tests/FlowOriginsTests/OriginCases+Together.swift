import PlainValue

// Values in which several changes of one step have a part, and statements over several lines.
extension OriginCase {
    static func become(
        _ name: String, _ old: Value, _ new: Value, path: String = "shown", causes: [String],
        write: String, render: String
    ) -> OriginCase {
        OriginCase(
            name: name, props: old, steps: [.send(["type": "set", "to": new])], path: path,
            since: 1, causes: causes.map { "state.\($0) of main" },
            sender: "set { to = \(new.summary(maxLength: 200)) }",
            flow: """
                local function pick(flag, one, other)
                    return flag and one or other
                end
                return {
                    name = "main",
                    state = function(props) return props end,
                    apply = {
                        set = function(state, action)
                            local to = action.to
                            \(write)
                        end,
                    },
                    render = function(state)
                        local view = { title = "x" }
                        \(render)
                        return view
                    end,
                }
                """)
    }

    private static let two = """
        state.count = to.count --W
        state.price = to.price --W
        """

    static let together: [OriginCase] = [
        become(
            "a flag selects, all changed", ["metric": false, "cm": 10, "inch": 4],
            ["metric": true, "cm": 30, "inch": 11], causes: ["cm", "metric"],
            write: """
                state.inch = to.inch
                state.metric = to.metric --W
                state.cm = to.cm --W
                """, render: "view.shown = state.metric and state.cm or state.inch --R"),
        become(
            "a product that was zero", ["count": 0, "price": 5], ["count": 3, "price": 7],
            causes: ["count", "price"], write: two,
            render: "view.shown = state.count * state.price --R"),
        become(
            "a text of two", ["count": 0, "price": 5], ["count": 3, "price": 7],
            causes: ["count", "price"], write: two,
            render: "view.shown = state.count .. \" of \" .. state.price --R"),
        become(
            "the greater of two alike", ["count": 1, "price": 2], ["count": 5, "price": 5],
            causes: ["count", "price"], write: two,
            render: "view.shown = math.max(state.count, state.price) --R"),
        become(
            "one alone, two together", ["hot": false, "loud": false, "n": 1],
            ["hot": true, "loud": true, "n": 2], causes: ["n", "hot", "loud"],
            write: """
                state.hot = to.hot --W
                state.loud = to.loud --W
                state.n = to.n --W
                """,
            render: "view.shown = ((state.hot or state.loud) and \"!\" or \"\") .. state.n --R"),
        become(
            "an early return in a function", ["open": false, "n": 1, "m": 1],
            ["open": true, "n": 2, "m": 3], causes: ["n", "open"],
            write: """
                state.m = to.m
                state.open = to.open --W
                state.n = to.n --W
                """,
            render: """
                local function shown()
                            if state.open then return state.n end
                            return state.m
                        end
                        view.shown = shown() --R
                """),
        become(
            "a choice over several lines", ["n": 1], ["n": 60], causes: ["n"],
            write: "state.n = to.n --W",
            render: """
                view.shown = state.n > 50 --R
                            and "wild"
                            or "odd"
                """),
        become(
            "a choice that begins on a line of its own", ["n": 60], ["n": 1], causes: ["n"],
            write: "state.n = to.n --W",
            render: """
                view.shown = --R
                            state.n > 50 and "wild"
                            or "odd"
                        view.other = 1
                """),
        become(
            "a call over several lines", ["n": 1], ["n": 60], causes: ["n"],
            write: "state.n = to.n --W",
            render: """
                view.shown = pick(state.n > 50, --R
                            "wild",
                            "odd")
                """),
        become(
            "fields of a constructor that are alike", ["n": 1], ["n": 60], causes: ["n"],
            write: "state.n = to.n --W",
            render: """
                view = {
                            other = pick(true, state.n),
                            shown = state.n, --R
                            last = pick(true, state.n),
                        }
                """),
        become(
            "a write over several lines", ["n": 1], ["n": 60], causes: ["n"],
            write: """
                state.n = to.n > 50 --W
                            and to.n
                            or 0
                """, render: "view.shown = state.n --R"),
        become(
            "a write after a call with the same value", ["n": 1], ["n": 60], causes: ["n"],
            write: """
                pick(true, to.n)
                            state.n = 60 --W
                """, render: "view.shown = state.n --R"),
    ]
}
