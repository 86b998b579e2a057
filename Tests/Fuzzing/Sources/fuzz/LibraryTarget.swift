import CFuzzing
import LuaVM
import PlainValue

/// The sandbox's own functions must return the same as those of stock Lua, and fail alike.
enum LibraryTarget: FuzzTarget {
    static let seeds: [[UInt8]] = {
        let pairs = [
            ("hello world", "(%w+) (%w+)"), ("(a(b)c)", "%b()"), ("THE (quick) fox", "%f[%a]%a+"),
            ("key = value", "^(%w+)%s*=%s*(%w+)$"), ("abcabc", "(a.)(c)%1"),
            ("  trim  ", "^%s*(.-)%s*$"),
            ("a,b,,c", "([^,]*),?"), ("x\0y", "[%z\0]"), ("f(1)", "%((.-)%)"), ("aXb", "[]X-]"),
            ("%d %5.2f %s %q %x", "abc"), ("é", "[\\x80-\\xff]+"), ("aaa", "a-b"), ("abc", "()b()"),
        ]
        return (0..<Self.chunks.count).flatMap { number in
            pairs.map {
                [UInt8(number), UInt8($0.0.utf8.count)] + Array($0.0.utf8) + Array($0.1.utf8)
            }
        }
    }()

    static func run(_ bytes: UnsafeRawBufferPointer) {
        var input = ByteSource(bytes)
        let chunk = input.choice(of: chunks)
        let first = Array(input.bytes().prefix(40))
        let second = Array(input.rest().prefix(24))
        guard let ours = inSandbox(chunk, first, second) else { return }
        guard let theirs = inStockLua(chunk, first, second) else { return }
        guard ours == theirs else {
            contradiction(
                """
                \(chunk)
                with \(first) and \(second)
                sandbox: \(String(decoding: ours, as: UTF8.self).debugDescription)
                stock:   \(String(decoding: theirs, as: UTF8.self).debugDescription)
                """)
        }
    }

    /// The result of a chunk for two strings in hexadecimal; nil if it reached a limit.
    private static func inSandbox(_ chunk: String, _ first: [UInt8], _ second: [UInt8]) -> [UInt8]?
    {
        guard let vm, let make else { contradiction("no VM") }
        do throws(LuaError) {
            func string(_ bytes: [UInt8]) throws(LuaError) -> LuaArgument {
                let numbers = Value.list(Value.List(bytes.map { .int(Int($0)) }))
                let made = try vm.call(make, .value(numbers), returning: .reference).reference
                return made.map { .reference($0) } ?? .value("")
            }
            let function = try vm.load(prelude + chunk, chunkName: "stock")
            let result = try vm.call(function, string(first), string(second), returning: .value)
            return result.value?.string.map { Array($0.utf8) }
        } catch {
            guard error.code.isLimit else { contradiction("\(chunk): \(error)") }
            return nil
        }
    }

    private static func inStockLua(_ chunk: String, _ first: [UInt8], _ second: [UInt8]) -> [UInt8]?
    {
        var result = [CChar](repeating: 0, count: Int(STOCK_LUA_RESULT))
        var length = 0
        let source = prelude + chunk
        let fine = first.withUnsafeBytes { first in
            second.withUnsafeBytes { second in
                stock_lua_run(
                    source, source.utf8.count, first.baseAddress, first.count, second.baseAddress,
                    second.count, &result, &length)
            }
        }
        return fine ? result.prefix(length).map { UInt8(bitPattern: $0) } : nil
    }

    // One for all inputs, used only by the fuzzer's thread, because a VM takes longer than a call.
    nonisolated(unsafe) private static let vm: LuaVM? = {
        var options = LuaVM.Options.fuzzing
        // The steps of a match count as instructions, so a slow one is soon given up.
        options.instructionLimit = 60_000
        return try? LuaVM(options)
    }()

    nonisolated(unsafe) private static let make = try? vm?.load(
        "return string.char(table.unpack((...)))", chunkName: "bytes")

    /// Shows the results of a call without addresses; an error only as such.
    private static let prelude = """
        local a, b = ...
        local function show(v, depth)
            if type(v) == "string" then
                return "'" .. (v:gsub(".", function(c) return ("%02x"):format(c:byte()) end)) .. "'"
            end
            if type(v) ~= "table" then return type(v) == "number" and ("%q"):format(v) or tostring(v) end
            if depth > 3 then return "..." end
            local keys, parts = {}, {}
            for i = 1, 50 do parts[i] = show(rawget(v, i), depth + 1) end
            return "{" .. table.concat(parts, ",") .. "}"
        end
        local function call(f, ...)
            local r = table.pack(pcall(f, ...))
            if not r[1] then return "error" end
            local parts = {}
            for i = 2, r.n do parts[#parts + 1] = show(r[i], 0) end
            return table.concat(parts, ";")
        end
        local x, y, z = (b:byte(1) or 0) - 8, (b:byte(2) or 0) - 8, (b:byte(3) or 0) - 8
        local function list()
            local t = {}
            for i = 1, #a do t[i] = a:byte(i) end
            return t
        end

        """

    private static let chunks: [String] = [
        "return call(string.find, a, b)",
        "return call(string.find, a, b, x, true)",
        "return call(string.match, a, b)",
        "return call(string.match, a, b, y)",
        "return call(string.gsub, a, b, '<%0>')",
        "return call(string.gsub, a, b, '%1', 3)",
        "return call(string.gsub, a, b, function(...) local n = select('#', ...) return n > 1 and n end)",
        "return call(string.gsub, 'abc def', '%w', a)",
        "return call(function() local r = {} for p, q in a:gmatch(b) do r[#r + 1] = p r[#r + 1] = q or '-' end return r end)",
        "return call(string.rep, a, x, b)", "return call(string.rep, '', x, a)",
        // Scripts must not see the address of a string.
        "return a:find('%%[^%a]*p') and '' or call(string.format, a, b, x, 1.5, y, 'text')",
        "return call(string.format, a, x, y, z)",
        "return call(table.concat, list(), b, x, y)",
        "return call(table.concat, list(), b)",
        "return call(table.unpack, list(), x, y)",
        "return call(function() local t = list() table.insert(t, x, 'new') return t, #t end)",
        "return call(function() local t = list() return table.remove(t, x), t, #t end)",
        "return call(function() local t = list() return table.remove(t), table.remove(t), t end)",
        "return call(function() return table.move(list(), x, y, z) end)",
        "return call(function() return table.move(list(), x, y, z, {}) end)",
        "return call(function() local t = list() table.sort(t) return t end)",
        "return call(function() local t = list() table.sort(t, function(p, q) return p > q end) return t end)",
        "return call(function() local t = {} for k in a:gmatch('%w') do t[k] = k end local n = 0 for k, v in pairs(t) do n = n + v:byte() end return n end)",
        "return call(function() local n, t = 0, list() for k, v in next, t do n = n + k * v end return n end)",
        "return call(rawlen, a), call(rawlen, list())",
        "return call(select, x, a, b, 3) .. call(tostring, x) .. call(type, a)",
        "return call(function() return xpcall(error, function(m) return {m, a} end, b) end)",
        "return call(function() local co = coroutine.wrap(function(...) local p = coroutine.yield(...) error(p, 0) end) return co(a, b), pcall(co, x) end)",
        "return call(function() local co = coroutine.create(function() coroutine.yield(a) end) return coroutine.resume(co), coroutine.status(co), coroutine.close(co), coroutine.status(co) end)",
    ]
}
