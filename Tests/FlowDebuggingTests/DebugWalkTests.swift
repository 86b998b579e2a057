import Foundation
import PlainValue
import TestSupport
import Testing

/// `debug`: what is seen at a moment does not depend on the way there.
@Suite struct DebugWalkTests {
    private static let flow = """
        local Walk = { name = "walk", state = { n = 0 } }

        local Pair = {}
        Pair.__index = function(pair, key)
            local name = key == "sum" and "n" or "m"
            return rawget(pair, name)
        end
        Pair.__lt = function(a, b)
            local x, y = a.sum, b.sum
            return x < y
        end

        local function twice(number)
            local result = number * 2
            return result
        end

        local function down(number, sum)
            if number == 0 then return sum end
            return down(number - 1, sum + number)
        end

        local function handle(message)
            local length = #message
            return length
        end

        local function broken(value)
            return value.field.field
        end

        Walk.apply = {
            up = function(state)
                state.n = state.n * 2 % 97 + 1
                if state.n % 5 == 0 then state.n = twice(state.n) end
            end,
            resume = function(state)
                local values = coroutine.wrap(function(first)
                    for i = first, first + 1 do
                        coroutine.yield(twice(i))
                    end
                    broken(first)
                end)
                state.n = state.n + values(2) + values()
                local ok, message = pcall(values)
                state.n = state.n + #message
            end,
            order = function(state)
                local pairs = {}
                for i = 1, 3 do
                    pairs[i] = setmetatable({ n = state.n * i % 7 }, Pair)
                end
                table.sort(pairs, function(a, b)
                    local less = a < b
                    return less
                end)
                state.n = down(pairs[1].sum, state.n) % 89
            end,
            handle = function(state)
                return select(3, xpcall(broken, handle))
            end,
            fail = function(state)
                state.n = twice(state.n)
                error("no")
            end,
        }

        function Walk.render(state)
            return { n = state.n }
        end

        return Walk
        """

    private func seen(_ client: DebugClient) async throws -> String {
        let frames = try await client.frames
        let scopes = try await client.ask("scopes", ["frameId": frames[0]["id"] ?? 1])
        var text = "\(frames.map { "\($0["name"] ?? ""):\($0["line"] ?? 0)" })"
        for scope in scopes["body"]?["scopes"]?.list ?? [] {
            let values = try await client.ask(
                "variables", ["variablesReference": scope["variablesReference"] ?? 0])
            for variable in values["body"]?["variables"]?.list ?? [] {
                text += " \(variable["name"] ?? "")=\(variable["value"] ?? "")"
            }
        }
        return text
    }

    /// The number of commands, 50 unless `WORKFLOW_WALK` is a number; five to a recorded step.
    private static let commandCount =
        ProcessInfo.processInfo.environment["WORKFLOW_WALK"].flatMap { Int($0) } ?? 50

    @Test func randomCommandsSeeWhatAWalkForwardsSaw() async throws {
        let scene = try Folder(["walk.lua": Self.flow])
        var numbers = SeededNumbers.printed(or: 0x77A1)
        let lines = (0..<max(Self.commandCount / 5, 20)).map { _ in
            ["up", "resume", "order", "handle", "fail"][Int(numbers.next() % 5)] + "\n"
        }.joined()
        _ = try await scene.run("walk.lua", "--record", "s.jsonl", input: lines)
        let client = try DebugClient()
        try await client.launch(
            [
                "program": .string(scene.path("s.jsonl")), "flow": .string(scene.path("walk.lua")),
                "stopOnEntry": true,
            ], in: scene.path("walk.lua"), [["line": 42], ["line": 54, "hitCondition": "% 3"]])

        let finely: Value = ["threadId": 1, "granularity": "instruction"]
        var walk = [try await seen(client)]
        while try await !client.go("stepIn", finely).hasPrefix("end") {
            walk.append(try await seen(client))
        }
        #expect(walk.count > 40)
        for index in walk.indices.dropLast().suffix(Self.commandCount / 5).reversed() {
            _ = try await client.go("stepBack", finely)
            try #require(try await seen(client) == walk[index], "on the way back, at \(index)")
        }

        // Where it may be: a moment can look like another one.
        var places: Set<Int> = [max(walk.count - 1 - Self.commandCount / 5, 0)]
        let commands: [(String, Value, ClosedRange<Int>)] = [
            ("stepIn", finely, 1...1), ("stepBack", finely, -1...(-1)),
            ("next", ["threadId": 1], 0...walk.count),
            ("stepBack", ["threadId": 1], -walk.count...0),
            ("stepOut", ["threadId": 1], 0...walk.count),
            ("continue", ["threadId": 1], 0...walk.count),
            ("reverseContinue", ["threadId": 1], -walk.count...0),
        ]
        for number in 0..<Self.commandCount {
            let (command, arguments, reach) = commands[Int(numbers.next() % UInt64(commands.count))]
            let before = places
            _ = try await client.go(command, arguments)
            let now = try await seen(client)
            places = []
            for place in before {
                // At the ends nothing moves.
                let first = max(place + reach.lowerBound, 0)
                let last = min(place + reach.upperBound, walk.count - 1)
                let reached = first <= last ? first...last : place...place
                for index in reached where walk[index] == now { places.insert(index) }
            }
            try #require(
                !places.isEmpty,
                "command \(number), \(command) from \(before.sorted().prefix(5)): \(now)")
        }
    }
}
