import LuaVM
import PlainValue
import Testing
import Workflow
import WorkflowLua

@Suite struct RandomProgramTests {
    private static let source = """
        local workflow = require "workflow"
        local random = math.random
        local names = { "a", "b", "c", "d", "e", "f" }
        local odd = false

        local function digest(value)
            if type(value) ~= "table" then return math.type(value) and ("%s:%s"):format(math.type(value), value) or tostring(value) end
            local out = { "(" .. #value }
            for k, v in pairs(value) do out[#out + 1] = tostring(k) .. "=" .. digest(v) end
            return table.concat(out, ",") .. ")"
        end
        local function scalar()
            local values = { random(1, 5), random(1, 3) / 2, "text" .. random(1, 3), random(2) == 1, -0.0, 300, 1 << 40 }
            return values[random(#values)]
        end
        local function fresh()
            local kind = random(6)
            if kind == 1 then return {} end
            if kind == 2 then return workflow.record() end
            if kind == 3 then return { 1, 2, 3 } end
            if kind == 4 then return { a = { b = scalar() }, c = { scalar(), { d = 1 } } } end
            if kind == 5 then return { { a = 1 }, { a = 2 }, { a = 3 }, { a = 4 } } end
            return { a = scalar() }
        end
        local function value() if random(2) == 1 then return scalar() end return fresh() end
        local function isList(node) return #node > 0 or next(node) == nil end
        local function pick(state)
            local node = state
            for _ = 1, random(4) do
                local tables = {}
                for _, v in pairs(node) do if type(v) == "table" then tables[#tables + 1] = v end end
                if #tables == 0 then return node end
                node = tables[random(#tables)]
            end
            return node
        end
        local function key(node, isNew)
            if isList(node) and (#node > 0 or random(2) == 1) then return random(1, #node + (isNew and 1 or 0)) end
            return names[random(#names)]
        end
        local function any(node)
            local keys = {}
            for k in pairs(node) do keys[#keys + 1] = k end
            return keys[random(#keys)]
        end

        local ops = {
            function(node) node[key(node, true)] = scalar() end,
            function(node) node[key(node, true)] = fresh() end,
            function(node) rawset(node, key(node, true), value()) end,
            function(node) if isList(node) then node[#node] = nil else node[any(node)] = nil end end,
            function(node) if isList(node) then node[#node + 1] = value() end end,
            function(node) if isList(node) then table.insert(node, random(1, #node + 1), value()) end end,
            function(node) if isList(node) then table.insert(node, value()) end end,
            function(node) if isList(node) and #node > 0 then return digest(table.remove(node, random(1, #node))) end end,
            function(node) if isList(node) then return digest(table.remove(node)) end end,
            function(node) if isList(node) then table.sort(node, function(x, y) return digest(x) < digest(y) end) end end,
            function(node)
                if isList(node) and #node > 1 then
                    local i, j = random(#node), random(#node)
                    node[i], node[j] = node[j], node[i]
                end
            end,
            function(node, state)
                local other = pick(state)
                local from = any(node)
                if from == nil then return end
                local moved = node[from]
                if isList(node) then moved = table.remove(node, from) else node[from] = nil end
                other[key(other, true)] = moved
            end,
            function(node)
                local made = {}
                node[key(node, true)] = made
                made.x = scalar()
                made.y = { made.x, { 1 } }
                return tostring(made == made) .. digest(node)
            end,
            function(node)
                local k = key(node, true)
                local made = { a = 1 }
                node[k] = made
                local same = node[k] == made
                node[k].b = scalar()
                return tostring(same) .. tostring(made.b)
            end,
            function(node) local k = any(node) if k ~= nil then node[k] = node[k] end end,
            function(node) local k = any(node) if k ~= nil then return tostring(rawequal(node[k], rawget(node, k))) end end,
            function(node) return digest(node) .. rawlen(node) .. #node .. select("#", table.unpack(node)) end,
            function(node)
                local out = {}
                for i, v in ipairs(node) do out[#out + 1] = i .. digest(v) end
                for k, v in next, node do out[#out + 1] = tostring(k) .. digest(v) end
                return table.concat(out, ";")
            end,
            function(node) return type(node) .. tostring(node) .. tostring(getmetatable(node)) end,
            function(node) return tostring(pcall(table.concat, node, "-")) end,
            function(node) local copy = table.move(node, 1, #node, 1, {}) return digest(copy) end,
            function(node)
                if isList(node) and #node > 0 and type(node[1]) ~= "table" and type(node[#node]) ~= "table" then
                    node[#node + 1] = node[1]
                end
            end,
            function(node) for k in pairs(node) do node[k] = nil end end,
            function(node) local seen = {} for _, v in pairs(node) do seen[v] = true if not seen[v] then return "lost" end end end,
            function(node) return digest({ table.unpack(node, random(-1, 2), random(0, 5)) }) .. select("#", table.unpack(node, 1, 3)) end,
            function(node) if #node > 1 then table.move(node, 1, #node - 1, 2) for i = 1, #node do if type(node[i]) == "table" then node[i] = i end end end end,
            function(node) if isList(node) then table.move({ scalar(), fresh(), scalar() }, 1, 3, #node + 1, node) end end,
            function(node) return tostring(pcall(table.concat, node, "-", 1, random(0, 3))) end,
            function(node)
                local out, k, v = {}, next(node)
                while k ~= nil do
                    out[#out + 1] = tostring(k) .. "=" .. digest(v)
                    k, v = next(node, k)
                end
                return table.concat(out, ",")
            end,
            function(node) table.sort(node) return digest(node) end,
            function(node)
                if not isList(node) then return end
                local left = random(9)
                table.sort(node, function(x, y)
                    left = left - 1
                    if left == 0 then error("enough") end
                    return digest(x) > digest(y)
                end)
                return digest(node)
            end,
            function(node, state)
                local co = coroutine.wrap(function(first)
                    node[key(node, true)] = first
                    local second = coroutine.yield(digest(node))
                    pick(state)[names[random(#names)]] = nil
                    for k, v in pairs(node) do coroutine.yield(tostring(k) .. digest(v)) end
                    return digest(second)
                end)
                local out = { co(scalar()), co(fresh()) }
                return table.concat(out, "/")
            end,
            function(node, state)
                local k, other = key(node, true), pick(state)
                local before = digest(node)
                local ok, message = pcall(function()
                    other[names[random(#names)]] = nil
                    node[k] = scalar()
                    error({ node })
                end)
                return before .. tostring(ok) .. tostring(message[1] == node) .. digest(message[1])
            end,
            function(node)
                local made = fresh()
                node[key(node, true)] = made
                local k = any(made)
                if k == nil then return end
                local inner = made[k]
                made[k] = nil
                if type(inner) == "table" and #inner == 0 then inner.z = 1 end
                made[k] = inner
                return digest(node)
            end,
            function(node, state)
                local k = any(node)
                if k == nil or type(node[k]) ~= "table" then return end
                state.both = node[k]
                local same = tostring(state.both == node[k])
                if #node[k] == 0 then node[k].w = scalar() end
                local said = same .. digest(state.both) .. tostring(rawequal(state.both, node[k]))
                state.both = nil
                return said
            end,
            function(node) return tostring(rawset(node, key(node, true), scalar()) == node) .. rawlen(node) end,
            function(node) return tostring(setmetatable(node, nil) == node) .. tostring(getmetatable(node)) end,
            function(node) return tostring(node == node) .. tostring(node ~= {}) .. tostring(rawequal(node, {})) end,
        }
        -- What a table answers when it is used in a wrong way.
        local misuses = {
            function(node) node[nil] = 1 end,
            function(node) node[0 / 0] = 1 end,
            function(node) rawset(node, nil, 1) end,
            function(node) rawset(node, 0 / 0, 1) end,
            function(node) return node.x.y.z end,
            function(node) node.x.y.z = 1 end,
            function(node) return node + 1 end,
            function(node) return -node end,
            function(node) return node .. "x" end,
            function(node) return node < 1 end,
            function(node) return node < node end,
            function(node) return node <= {} end,
            function(node) return node & 1 end,
            function(node) return node() end,
            function(node) return node:method() end,
            function(node) return node.field() end,
            function(node) for i = node, 1 do end end,
            function(node) for i = 1, node do end end,
            function(node) for _ in node do end end,
            function(node) table.insert(node, -1, 1) end,
            function(node) table.insert(node, 1, 2, 3) end,
            function(node) table.insert(node) end,
            function(node) table.insert(node, "x", 2) end,
            function(node) table.remove(node, -7) end,
            function(node) table.remove(node, node) end,
            function(node) return table.concat(node, {}) end,
            function(node) return table.concat(node, "", 1, 99) end,
            function(node) return table.unpack(node, 1, 1 << 40) end,
            function(node) return table.unpack(node, node) end,
            function(node) table.move(node, 1, 2, 3, 4) end,
            function(node) table.move(node, 1, math.maxinteger, 2) end,
            function(node) table.sort(node, node) end,
            function(node) return next(node, {}) end,
            function(node) return next(node, "no such key") end,
            function(node) return select(node) end,
            function(node) return ("x"):rep(node) end,
            function(node) return ("%d"):format(node) end,
            function(node) return ("%s"):format(node) end,
            function(node) return math.floor(node) end,
            function(node) return tonumber(node, 10) end,
            function(node) return tonumber(node) end,
            function(node) return utf8.char(node) end,
            function(node) return rawlen() end,
            function(node) return setmetatable(node, 1) end,
            function(node) return math.type(node) end,
            function(node) error(node) end,
            function(node) assert(false, node) end,
            function(node) return coroutine.resume(node) end,
            function(node) return pcall(node) end,
            function(node) return require(node) end,
            function(node) return type(next) .. type(node) .. #tostring(node) end,
        }
        ops[#ops + 1] = function(node)
            local said = {}
            for i, value in ipairs({ pcall(misuses[random(#misuses)], node) }) do said[i] = digest(value) end
            return table.concat(said, ",")
        end
        for _ = 1, 5 do ops[#ops + 1] = ops[#ops] end
        local bad = {
            function(node) node[key(node, true)] = print end,
            function(node) node[key(node, true)] = 0 / 0 end,
            function(node) node[key(node, true)] = "\\xff" end,
            function(node) node[1.5] = 1 end,
            function(node) node[#node + 2] = 1 end,
            function(node) node[-1] = 1 end,
            function(node) node.a = 1 node[1] = 1 end,
            function(node) node[key(node, true)] = { print } end,
            function(node) node[key(node, true)] = { { {}, { 1, nil, 3 } } } end,
            function(node) local t = {} t.t = t node[key(node, true)] = t end,
            function(node, state) node[key(node, true)] = state end,
            function() error("stop", 0) end,
            function(node) node.x.y.z = 1 end,
        }
        return {
            name = "flow",
            state = function()
                return {
                    list = { 1, 2, 3, 4 }, rows = { { id = 1 }, { id = 2 }, { id = 3 } }, empty = {},
                    index = { a = { 1 }, b = { c = { d = {} } } }, count = 0,
                }
            end,
            apply = {
                go = function(state)
                    local out = {}
                    for _ = 1, random(6) do
                        out[#out + 1] = ops[random(#ops)](pick(state), state) or "-"
                    end
                    if random(8) == 1 then bad[random(#bad)](pick(state), state) end
                    return table.concat(out, " ")
                end,
            },
            changed = function(old, new, state) state.count = new.count end,
            render = function(state) return digest(state) end,
        }
        """

    private struct Player {
        let workflow: LuaWorkflow
        let context: ApplyContext<LuaWorkflow>
        var state: ScriptedState
        let action: LuaAction

        init(seed: UInt64, largeCount: Int) throws {
            var options = LuaFlow.Options()
            options.limits.largeCount = largeCount
            options.limits.seed = seed
            // On a busy machine with a sanitizer, a call may take long.
            options.limits.timeLimit = nil
            let flow = try LuaFlow(source: source, name: "flow.lua", options: options)
            workflow = flow.workflow()
            context = ApplyContext(workflow: workflow)
            state = workflow.makeInitialState()
            action = try LuaAction("go")
        }

        mutating func play() -> (said: String, changed: Bool) {
            let before = state
            do {
                let output = try action.apply(toState: &state, context: context)
                return ("\(output as Any)", before != state)
            } catch {
                state = before
                return ("\(error)", false)
            }
        }
    }

    @Test(arguments: 0..<60, [0, 1, 3])
    func randomProgramsDoTheSameToLargeTables(seed: Int, largeCount: Int) throws {
        var small = try Player(seed: UInt64(seed), largeCount: .max)
        var large = try Player(seed: UInt64(seed), largeCount: largeCount)
        var versions: [(Value, ScriptedState)] = []
        for step in 0..<150 {
            let expected = small.play()
            let got = large.play()
            try #require(got.said == expected.said, "step \(step)")
            // Replacing a table by an equal one may count as a change.
            try #require(got.changed || !expected.changed, "step \(step)")
            // Most are never read, and some late.
            versions.append((small.state.value, large.state))
            if step % 7 == 0 {
                let index = (step &* 31 &+ seed) % versions.count
                try #require(
                    versions[index].1.value == versions[index].0, "step \(step), version \(index)")
            }
            if step % 40 == 39 {
                versions = versions.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            }
        }
        for (index, version) in versions.enumerated() {
            try #require(version.1.value == version.0, "version \(index)")
        }
    }
}
