import LuaVM
import PlainValue
import TestSupport
import Testing

/// Runs on a thread with a stack of 512 KiB, like worker threads on some systems.
@Suite struct SmallStackTests {
    @Test(arguments: [
        "local function f(s) return (s:gsub('.', f)) end f('x')",
        "local function f() table.sort({3, 2, 1}, function(a, b) f() return a < b end) end f()",
        "local function f() return coroutine.wrap(f)() end f()",
        "local mt = {} mt.__tostring = function(s) return ('%s'):format(s) end tostring(setmetatable({}, mt))",
        "local mt = {} mt.__index = function(t, k) return t[k] end local t = setmetatable({}, mt) t = t.x",
        "local function f() return select(2, xpcall(f, f)) end f() error('stack overflow')",
        "local function f() nested(f) end f()",
    ]) func deepRecursionEndsInAnError(source: String) {
        let message = onStack(of: 512 << 10) {
            do throws(LuaError) {
                let vm = try LuaVM()
                let nested = try vm.makeFunction("nested") { call throws(LuaError) in
                    _ = try call.vm.call(call.reference(at: 1))
                    return .none
                }
                try vm.setGlobal("nested", to: .reference(nested))
                try vm.run(source)
                return "no error"
            } catch { return error.message }
        }
        #expect(
            message?.contains("stack overflow") == true
                || message?.contains("nested deeper") == true)
    }

    /// With enough stack Lua itself limits the nesting; otherwise the call ends.
    @Test(arguments: [96, 256, 512, 1024, 8192])
    func howDeepCallsNestIsTheSameOnEveryStack(kibibytes: Int) {
        let source = """
            local n = 0
            local function f() n = n + 1 return (('x'):gsub('x', f)) end
            pcall(f)
            return n
            """
        let seen = onStack(of: kibibytes << 10) { () -> String in
            do throws(LuaError) {
                return "\(try LuaVM().run(source))"
            } catch { return "\(error.code)" }
        }
        #expect(seen == "198" || seen == "depth" && kibibytes < 1024)
    }
}
