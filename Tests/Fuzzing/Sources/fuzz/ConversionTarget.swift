import LuaVM
import PlainValue

/// Conversion: a random value comes back from Lua unchanged, and every table that a script builds
/// is either refused with a reason or converts to a value that builds an equal table.
enum ConversionTarget: FuzzTarget {
    static let seeds: [[UInt8]] = (0..<32).map { seed in
        (0..<200).map { UInt8(truncatingIfNeeded: ($0 &* 31 &+ seed) &* (seed &* 2 &+ 7)) }
    }

    static func run(_ bytes: UnsafeRawBufferPointer) {
        guard let vm = try? LuaVM() else { contradiction("no VM") }
        var source = ByteSource(bytes)
        do throws(LuaError) {
            if source.byte() & 1 == 1 {
                try checkValue(source.value(), vm)
            } else {
                try checkTable(source.bytes() + source.bytes(), vm)
            }
        } catch {
            contradiction("\(error)")
        }
    }

    private static func checkValue(_ value: Value, _ vm: LuaVM) throws(LuaError) {
        let table = try vm.makeTable(value)
        guard areSame(try vm.encode(table), value) else {
            contradiction("through a table: \(value)")
        }
        let copy = try vm.load(
            """
            local function copy(v)
                if type(v) ~= "table" or next(v) == nil then return v end
                local new = {}
                for k, x in pairs(v) do new[k] = copy(x) end
                return new
            end
            return copy(...)
            """, chunkName: "copy")
        var arguments = [
            LuaArgument.reference(table), .reference(try vm.makeView(of: value, label: "v")),
        ]
        if vm.type(of: table) == .table {
            arguments.append(.reference(try vm.makeView(of: table, label: "v")))
        }
        for argument in arguments {
            let copied = try vm.call(copy, argument, returning: .value).value ?? .null
            guard areSame(copied, value) else { contradiction("through a copy: \(value)") }
            guard areSame(try vm.encode(table), value) else { contradiction("after: \(value)") }
        }
    }

    /// Reads numbers as orders to build tables with all kinds of keys, values, cycles and holes.
    private static let builder = """
        local orders = ...
        local at, made = 0, {}
        local function byte() at = at + 1 return orders[at] or 0 end
        local function key()
            local b, n = byte(), byte()
            if b < 100 then return n % 12 + 1 end
            if b < 220 then return ("k" .. n % 30):rep(n % 3 + 1) end
            return ({ true, 1.5, -1, 0, print, {}, "\\xff", 2.0, math.maxinteger, 1e300 })[n % 10 + 1]
        end
        local build
        local function value()
            local b = byte()
            if b < 60 then return b - 30 end
            if b < 80 then return b / 7 end
            if b < 120 then return ("é"):rep(b - 80) end
            if b < 130 then return b % 2 == 0 end
            if b < 230 then return build() end
            if b < 240 then return made[b % #made + 1] end
            if b < 250 then return nil end
            return ({ print, coroutine.create(print), 0 / 0, 1 / 0, "\\xc0", -0.0 })[b - 249]
        end
        function build()
            local t = {}
            made[#made + 1] = t
            for _ = 1, byte() % 10 do t[key()] = value() end
            if byte() > 250 then setmetatable(t, { __index = t }) end
            return t
        end
        return build()
        """

    /// The value of a table, nil if it is refused, next to a record with a mark and a field. Such a
    /// record cannot be read directly, so its surroundings are not either.
    private static func readByFunctions(
        _ table: LuaReference, _ vm: LuaVM
    ) throws(LuaError) -> Reading {
        let wrap = try vm.load(
            "local record, v = ... record.x = 1 return { record, v }", chunkName: "wrap")
        let both = try vm.call(
            wrap, .reference(vm.makeRecord()), .reference(table), returning: .reference)
        guard let both = both.reference else { contradiction("the wrapper gives nothing") }
        do throws(LuaError) {
            return .value(try vm.encode(both).list?.last ?? .null)
        } catch {
            if case .depth = error.conversion { return .tooDeep }
            return .refused
        }
    }

    private enum Reading {
        case value(Value), refused
        /// Refused for being one level deeper.
        case tooDeep
    }

    private static func checkTable(_ orders: [UInt8], _ vm: LuaVM) throws(LuaError) {
        let build = try vm.load(builder, chunkName: "builder")
        let numbers = Value.list(Value.List(orders.map { .int(Int($0)) }))
        let result = try vm.call(build, .value(numbers), returning: .reference)
        guard let table = result.reference else { contradiction("the builder gives nothing") }
        let byFunctions = try readByFunctions(table, vm)
        let value: Value
        do throws(LuaError) {
            value = try vm.encode(table)
        } catch {
            if case .value = byFunctions { contradiction("refused, but not by Lua's functions") }
            guard error.code == .conversion, error.path?.hasPrefix("value") == true,
                error.conversion != .inside
            else { contradiction("refused without a reason: \(error)") }
            return
        }
        switch byFunctions {
        case .value(let same) where areSame(same, value): break
        case .tooDeep: break
        default: contradiction("not the same by Lua's functions: \(value)")
        }
        guard let valid = try? EncodedValue(validating: (try? encoding(of: value)) ?? []).value,
            areSame(valid, value)
        else { contradiction("not valid: \(value)") }
        try checkValue(value, vm)
    }
}
