import PlainValue

// Values that a render reads in the ways of the language: chains, loops, closures and tables.
extension OriginCase {
    static let reading: [OriginCase] = [
        become(
            "an index into a list that came with it", ["items": []],
            ["items": [["name": "x"]], "selected": 1], causes: ["items[1]", "selected"],
            write: """
                state.selected = to.selected --W
                table.insert(state.items, to.items[1]) --W
                """,
            render: """
                view.shown = state.selected and state.items[state.selected].name or "none" --R
                """),
        become(
            "two lists side by side", ["keys": ["a"], "values": [1]],
            ["keys": ["a", "b"], "values": [1, 2]], causes: ["keys[2]", "values[2]"],
            write: """
                state.values[2] = to.values[2] --W
                state.keys[2] = to.keys[2] --W
                """,
            render: """
                local last = #state.keys
                        view.shown = state.keys[last] .. "=" .. state.values[last] --R
                """),
        become(
            "a majority of three", ["a": false, "b": false, "c": false, "n": 1],
            ["a": true, "b": true, "c": true, "n": 2], causes: ["b", "c", "a"],
            write: """
                for _, key in ipairs { "a", "b", "c", "n" } do
                                state[key] = to[key] --W
                            end
                """,
            render: """
                local votes = 0
                        for _, key in ipairs { "a", "b", "c" } do
                            votes = votes + (state[key] and 1 or 0)
                        end
                        view.shown = votes > 1 --R
                """),
        become(
            "the least of three, two alike", ["a": 5, "b": 5, "c": 5], ["a": 2, "b": 2, "c": 9],
            causes: ["a", "b"], write: "state.a, state.b, state.c = to.a, to.b, to.c --W",
            render: "view.shown = math.min(state.a, state.b, state.c) --R"),
        become(
            "two of several new elements", ["items": []], ["items": [1, 2, 3, 4, 5]],
            causes: ["items[4]", "items[2]"],
            write: """
                for index, item in ipairs(to.items) do
                                state.items[index] = item --W
                            end
                """,
            render: """
                local items = state.items
                        view.shown = #items > 3 and items[2] .. "-" .. items[4] or "none" --R
                """),
        become(
            "a text of a format over several lines",
            ["name": "Ann", "age": 3, "town": "Rome"], ["name": "Bo", "age": 4, "town": "Rom"],
            causes: ["age", "name"],
            write: """
                state.town = to.town
                state.name = to.name --W
                state.age = to.age --W
                """,
            render: """
                view.shown = string.format( --R
                            "%s (%d)",
                            state.name,
                            state.age
                        )
                        view.town = state.town
                """),
        become(
            "a computed key of a constructor", ["n": 1, "v": "x", "w": 1],
            ["n": 2, "v": "y", "w": 2], path: "fields.k2", causes: ["n", "v"],
            write: "state.n, state.v, state.w = to.n, to.v, to.w --W",
            render: """
                view.fields = {
                            first = state.w,
                            ["k" .. state.n] = state.v, --R
                            last = state.w,
                        }
                """),
        become(
            "a text that a loop makes", ["items": [["t": "a", "n": 1], ["t": "b", "n": 1]]],
            ["items": [["t": "a", "n": 2], ["t": "c", "n": 2]]], causes: ["items[2].t"],
            write: """
                for index, item in ipairs(state.items) do
                                item.n = to.items[index].n
                                item.t = to.items[index].t --W
                            end
                """,
            render: """
                local text, sum = "", 0
                        for _, item in ipairs(state.items) do
                            text = text .. item.t .. ","
                            sum = sum + item.n
                        end
                        view.shown = text --R
                        view.sum = sum
                """),
        become(
            "the best of a sorted copy",
            ["rows": [["id": "a", "n": 3], ["id": "b", "n": 1], ["id": "c", "n": 2]]],
            ["rows": [["id": "a", "n": 4], ["id": "b", "n": 9], ["id": "c", "n": 2]]],
            causes: ["rows[2].n"],
            write: """
                for index, row in ipairs(to.rows) do
                                state.rows[index].n = row.n --W
                            end
                """,
            render: """
                local sorted = table.move(state.rows, 1, #state.rows, 1, {})
                        table.sort(sorted, function(one, other) return one.n > other.n end)
                        view.shown = sorted[1].id --R
                """),
        become(
            "the greatest of a list", ["items": [1, 5, 3]], ["items": [7, 6, 3]],
            causes: ["items[1]"], write: "state.items = table.move(to.items, 1, 3, 1, {}) --W",
            render: "view.shown = math.max(table.unpack(state.items)) --R"),
        become(
            "arguments that a function sums up", ["items": [1, 2], "other": [1]],
            ["items": [1, 4], "other": [2]], causes: ["items[2]"],
            write: """
                state.other[1] = to.other[1]
                state.items[2] = to.items[2] --W
                """,
            render: """
                local function sum(...)
                            local all = 0
                            for place = 1, select("#", ...) do
                                all = all + (select(place, ...))
                            end
                            return all
                        end
                        view.shown = sum(table.unpack(state.items)) --R
                        view.other = sum(table.unpack(state.other))
                """),
        become(
            "elements that a goto skips",
            ["items": [1, 2, 3, 4], "low": 0], ["items": [5, 2, 6, 4], "low": 3],
            causes: ["items[1]", "items[3]", "low"],
            write: """
                state.low = to.low --W
                state.items[1] = to.items[1] --W
                state.items[3] = to.items[3] --W
                """,
            render: """
                local sum = 0
                        for _, item in ipairs(state.items) do
                            if item < state.low then goto continue end
                            sum = sum + item
                            ::continue::
                        end
                        view.shown = sum --R
                """),
        become(
            "a division without rest", ["cents": 150, "tip": 5], ["cents": 250, "tip": 7],
            causes: ["cents"],
            write: """
                state.tip = to.tip
                state.cents = to.cents --W
                """, render: "view.shown = (state.cents + state.tip) // 100 --R"),
        become(
            "a field whose name is computed",
            ["current": 1, "slot1": "a", "slot2": "b"], ["current": 2, "slot1": "z", "slot2": "c"],
            causes: ["current", "slot2"],
            write: """
                state.slot1 = to.slot1
                state.slot2 = to.slot2 --W
                state.current = to.current --W
                """,
            render: """
                view.shown = state["slot" .. state.current] --R
                """),
        become(
            "a default behind two", ["title": "t", "name": "n", "id": 1], ["id": 2],
            causes: ["name", "title"],
            write: """
                state.title = nil --W
                state.name = nil --W
                state.id = to.id
                """,
            render: """
                view.shown = state.title and "x" or state.name and "x" or "none" --R
                        view.id = state.id
                """),
        become(
            "a constant table by two keys", ["kind": "a", "lang": "en", "n": 1],
            ["kind": "b", "lang": "de", "n": 2], causes: ["kind", "lang"],
            write: "state.kind, state.lang, state.n = to.kind, to.lang, to.n --W",
            render: """
                local words = {
                            en = { a = "one", b = "two" },
                            de = { a = "eins", b = "zwei" },
                        }
                        view.shown = words[state.lang][state.kind] --R
                        view.n = state.n
                """),
        become(
            "two that became alike", ["a": 1, "b": 2, "c": 3], ["a": 7, "b": 7, "c": 7],
            causes: ["a", "b"],
            write: """
                state.a = to.a --W
                state.b = to.b --W
                state.c = to.c
                """, render: "view.shown = state.a == state.b --R"),
        become(
            "a closure that counts", ["step": 1, "times": 2, "other": 1],
            ["step": 3, "times": 4, "other": 2], causes: ["step", "times"],
            write: """
                state.other = to.other
                state.step = to.step --W
                state.times = to.times --W
                """,
            render: """
                local function counter(step)
                            local count = 0
                            return function()
                                count = count + step
                                return count
                            end
                        end
                        local one, other = counter(state.step), counter(state.other)
                        for _ = 1, state.times do
                            view.shown = one() --R
                            other()
                        end
                """),
        become(
            "the first over a limit", ["limit": 2, "items": [["n": 3], ["n": 5], ["n": 7]]],
            ["limit": 4, "items": [["n": 3], ["n": 6], ["n": 8]]], causes: ["limit"],
            write: """
                for index, item in ipairs(to.items) do
                                state.items[index].n = item.n
                            end
                            state.limit = to.limit --W
                """,
            render: """
                view.shown = "none"
                        for place, item in ipairs(state.items) do
                            if item.n > state.limit then
                                view.shown = "item " .. place --R
                                break
                            end
                        end
                """),
        become(
            "a status of several returns", ["error": false, "busy": true, "count": 0],
            ["error": false, "busy": false, "count": 2], causes: ["busy", "count"],
            write: """
                state.busy = to.busy --W
                state.count = to.count --W
                """,
            render: """
                local function status()
                            if state.error then return "failed" end
                            if state.busy then return "wait" end
                            if state.count == 0 then return "empty" end
                            return state.count .. " found"
                        end
                        view.shown = status() --R
                """),
        become(
            "digits of a loop", ["n": 12, "base": 10, "m": 1], ["n": 255, "base": 2, "m": 2],
            causes: ["base", "n"], write: "state.n, state.base, state.m = to.n, to.base, to.m --W",
            render: """
                local text, rest = "", state.n
                        repeat
                            text = (rest % state.base) .. text
                            rest = rest // state.base
                        until rest == 0
                        view.shown = text --R
                        view.m = state.m
                """),
        become(
            "two that were exchanged", ["a": 1, "b": 2], ["a": 2, "b": 1], causes: ["b"],
            write: "state.a, state.b = state.b, state.a --W",
            render: """
                view.first = state.a
                        view.shown = state.b --R
                """),
        become(
            "a record that was replaced", ["user": ["name": "Ann", "age": 3]],
            ["user": ["name": "Bo", "age": 4]], causes: ["user.name"],
            write: """
                state.user = { --W
                                age = to.user.age,
                                name = to.user.name,
                            }
                """,
            render: """
                view.age = state.user.age
                        view.shown = state.user.name:sub(1, 1):upper() --R
                """),
        become(
            "an entry that was deleted", ["by": ["a": 1, "b": 2], "n": 2],
            ["by": ["a": 1], "n": 1], causes: ["by.b"],
            write: """
                state.by.b = nil --W
                state.n = to.n
                """,
            render: """
                view.shown = state.by.b and "in" or "out" --R
                """),
        become(
            "an element deleted from the middle", ["items": ["a", "b", "c", "d"]],
            ["items": ["a", "c", "d"]], causes: ["items[2]"],
            write: "table.remove(state.items, 2) --W", render: "view.shown = #state.items --R"),
        become(
            "the last after a deletion", ["items": [["t": "a"], ["t": "b"], ["t": "c"]], "n": 1],
            ["items": [["t": "a"], ["t": "b"]], "n": 2], causes: ["items[3]"],
            write: """
                state.n = to.n
                state.items[#state.items] = nil --W
                """, render: "view.shown = state.items[#state.items].t --R"),
        become(
            "an element inserted at the front", ["items": ["a", "b"]], ["items": ["n", "a", "b"]],
            path: "rows[2]", causes: ["items[1]"],
            write: "table.insert(state.items, 1, to.items[1]) --W",
            render: """
                view.rows = {}
                        for index, item in ipairs(state.items) do
                            view.rows[index] = index .. " " .. item --R
                        end
                """),
        become(
            "an object with a metatable", ["cents": 100, "name": "x"], ["cents": 250, "name": "y"],
            causes: ["cents"], write: "state.cents, state.name = to.cents, to.name --W",
            render: """
                local Money = {}
                        Money.__index = Money
                        function Money:text() return self.cents // 100 .. " euro" end
                        local money = { cents = state.cents, of = state.name }
                        setmetatable(money, Money)
                        view.shown = money:text() --R
                """),
        become(
            "operators of a metatable", ["a": 1, "b": 2, "c": 3], ["a": 2, "b": 3, "c": 4],
            causes: ["a", "b"], write: "state.a, state.b, state.c = to.a, to.b, to.c --W",
            render: """
                local Sum = {}
                        Sum.__add = function(one, other) return one.n + other.n end
                        local function sum(n) return setmetatable({ n = n }, Sum) end
                        local all = { sum(state.a), sum(state.b), sum(state.c) }
                        view.shown = all[1] + all[2] --R
                """),
        become(
            "keys of a record in order", ["by": ["x": 1]], ["by": ["a": 2, "b": 3, "x": 4]],
            causes: ["by.a", "by.b"],
            write: """
                for _, key in ipairs { "x", "b", "a" } do
                                state.by[key] = to.by[key] --W
                            end
                """,
            render: """
                local keys = {}
                        for key in pairs(state.by) do keys[#keys + 1] = key end
                        table.sort(keys)
                        view.shown = table.concat(keys, ",") --R
                """),
        become(
            "a call that fails without it", ["text": "x", "n": 1], ["text": "12", "n": 2],
            causes: ["text"],
            write: """
                state.n = to.n
                state.text = to.text --W
                """,
            render: """
                local fine, number = pcall(function() return tonumber(state.text) + 1 end)
                        view.shown = fine and number or "no number" --R
                """),
    ]
}
