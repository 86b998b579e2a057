#if SIGNALS
    import Foundation
    import LuaVM
    import PlainValue
    import TestSupport
    import Testing

    /// The watchdog's signal arrives at allocations and at random moments; see Scripts/sanitize.
    @Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["SIGNALS_SEED"] != nil))
    struct SignalTests {
        /// Chunks that grow, move and free stacks, tables, strings and coroutines; their results.
        private static let chunks: [(source: String, value: Value)] = [
            (
                """
                local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end
                return f(9000)
                """, 9000
            ),
            (
                """
                local n = 0
                for _ = 1, 30 do n = n + select('#', table.unpack({}, 1, 4000)) end
                return n
                """, 120000
            ), ("local t = {} for i = 1, 9000 do t[i] = i t['k' .. i] = {i} end return #t", 9000),
            (
                """
                local t = {}
                for i = 1, 3000 do t[i] = ('x'):rep(i % 50) end
                return #table.concat(t)
                """, 73500
            ),
            (
                """
                local s = ''
                for i = 1, 400 do s = s .. ('abc'):rep(50) end
                return #s:gsub('b', 'bb')
                """, 80000
            ),
            (
                """
                local n = 0
                for i = 1, 150 do
                    local f = coroutine.wrap(function() for j = 1, 9 do coroutine.yield({j}) end end)
                    for j = 1, 9 do n = n + f()[1] end
                end
                return n
                """, 6750
            ),
            (
                """
                local n = 0
                local function f(k)
                    local c <close> = setmetatable({}, {__close = function() n = n + 1 end})
                    if k > 0 then f(k - 1) else error({}) end
                end
                for i = 1, 20 do pcall(f, 60) end
                return n
                """, 1220
            ),
            (
                """
                local t = setmetatable({}, {__call = function(_, ...) return select('#', ...) end})
                local n = 0
                for i = 1, 60 do n = n + (pcall(t, table.unpack({}, 1, 3000)) and 1 or 0) end
                return n
                """, 60
            ),
            (
                """
                local t = {}
                for i = 1, 3000 do t[i] = (i * 7919) % 3001 end
                table.sort(t, function(a, b) return a < b end)
                return t[3000]
                """, 3000
            ),
            (
                """
                local kept = {}
                for i = 1, 2000 do
                    local a, b = i, {}
                    kept[i % 50 + 1] = function() a = a + 1 b[1] = a return b end
                end
                return kept[1]()[1]
                """, 2001
            ),
        ]

        @Test(arguments: 0..<10) func signalThatNobodyHasAskedForIsHarmless(_ chunk: Int) throws {
            for seed in 1...20 as ClosedRange<UInt64> {
                LuaVM.sendSignals(seed: seed, places: 5)
                let vm = try LuaVM()
                #expect(try vm.run(Self.chunks[chunk].source) == Self.chunks[chunk].value)
            }
            LuaVM.sendSignals(seed: 0)
        }

        /// A table is its own `__call`: Lua moves arguments, grows the stack, runs no instruction.
        @Test func callThatOnlyMovesArgumentsIsStopped() throws {
            let source = """
                local a, mt = {}, {}
                for i = 1, COUNT do a[i] = i end
                mt.__call = setmetatable({}, mt)
                while true do pcall(mt.__call, table.unpack(a)) end
                """
            for seed in 1...30 as ClosedRange<UInt64> {
                var options = LuaVM.Options()
                options.timeLimit = .milliseconds(20) * slowness
                let vm = try LuaVM(options)
                LuaVM.sendSignals(seed: seed, places: UInt32(1 + seed % 5))
                let count = seed * seed * 100
                let error = try vm.failure(of: source.replacing("COUNT", with: "\(count)"))
                #expect(error.code == .timeLimit || error.code == .memoryLimit)
                LuaVM.sendSignals(seed: 0)
                vm.collectGarbage()
                let sound = "return { table.pack(table.unpack({}, 1, 9000)).n }"
                #expect(try unhurried { try vm.run(sound) } == [9000])
            }
        }

        @Test(arguments: 0..<10) func callThatIsStoppedAnywhereLeavesTheVMSound(_ chunk: Int) throws
        {
            var stopped: Set<LuaError.Code> = []
            for seed in 1...60 as ClosedRange<UInt64> {
                let vm = try LuaVM()
                LuaVM.sendSignals(seed: seed, places: 23, stops: seed % 2 == 0 ? 40 : 4)
                for _ in 1...3 {
                    do throws(LuaError) {
                        #expect(try vm.run(Self.chunks[chunk].source) == Self.chunks[chunk].value)
                    } catch { stopped.insert(error.code) }
                }
                LuaVM.sendSignals(seed: seed)
                vm.collectGarbage()
                #expect(
                    try vm.run("local t = {} for i = 1, 3 do t[i] = {i} end return t")
                        == [[1], [2], [3]])
            }
            #expect(stopped.isSubset(of: [.timeLimit, .interrupted, .memoryLimit]))
            #expect(!stopped.isEmpty)
        }
    }
#endif
