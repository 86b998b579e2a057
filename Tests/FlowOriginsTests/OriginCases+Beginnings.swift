import PlainValue

// Flows of several nodes in one file whose values have not changed since the beginning.
extension OriginCase {
    private static func keyed(_ name: String, _ state: String, path: String) -> OriginCase {
        OriginCase(
            name: name, path: path, since: 0,
            causes: ["state.best of main/kid:\(path.dropFirst().prefix(1))"], sender: "",
            flow: """
                local Kid = { name = "kid" }
                \(state)
                function Kid.render(state) return { best = state.best } end --R
                local Main = { name = "main", state = { v = 1 } }
                function Main.render(state, context)
                    return {
                        k1 = context:render(Kid, { v = 10 }, { key = 1 }),
                        k2 = context:render(Kid, { v = 20 }, { key = 2 }),
                    }
                end
                return Main
                """)
    }

    static let beginnings: [OriginCase] = [
        keyed(
            "from the beginning, of a child with a key",
            """
            function Kid.state(props)
                local state = {}
                if props.v > 15 then
                    state.best = props.v
                else
                    state.best = 1 --W
                end
                return state
            end
            """, path: "k1.best"),
        keyed(
            "from the beginning, of another child with a key",
            """
            function Kid.state(props)
                local state = {}
                if props.v > 15 then
                    state.best = props.v --W
                else
                    state.best = 1
                end
                return state
            end
            """, path: "k2.best"),
        // It is unknown which of the two places is its own.
        keyed(
            "from the beginning, a constant state of a child", "Kid.state = { best = 1 }",
            path: "k2.best"),
        OriginCase(
            name: "from the beginning, either of two", path: "alarm", since: 0,
            causes: ["state.hot of main", "state.loud of main"], sender: "",
            flow: """
                return {
                    name = "main",
                    state = { hot = true, loud = true, n = 1 }, --W
                    render = function(state)
                        return { n = state.n, alarm = (state.hot or state.loud) and "!" or "ok" } --R
                    end,
                }
                """),
    ]
}
