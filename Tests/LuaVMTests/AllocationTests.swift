import CLuaBridge
import Testing

/// Uses the bridge like the VM, while each allocation in turn fails.
@Suite struct AllocationTests {
    private final class Bridge {
        let state: OpaquePointer

        init() throws {
            var configuration = lb_configuration()
            configuration.memory_limit = 64 << 20
            configuration.source_limit = 1 << 16
            configuration.print_limit = 1 << 16
            configuration.depth_limit = 100
            configuration.value_depth = 128
            configuration.value_count = 1 << 20
            configuration.value_size = 1 << 24
            var state: OpaquePointer?
            try #require(lb_open(&configuration, &state) == LB_OK)
            self.state = try #require(state)
            lb_set_callbacks(
                self.state, UnsafeMutableRawPointer(self.state),
                { owner, _, call in
                    // Replies with its second argument, as a reference.
                    guard let owner, let call else { return true }
                    var slot: Int32 = 0
                    defer { lb_release(OpaquePointer(owner), slot) }
                    guard lb_call_reference(call, 2, &slot) == LB_OK else {
                        lb_reply_error(call, "no", 2)
                        return false
                    }
                    _ = lb_remember(call, 1, slot)
                    var argument = lb_argument()
                    argument.kind = LB_ARGUMENT_REFERENCE
                    argument.reference = slot
                    return lb_reply(call, &argument) == LB_OK
                }, nil, { _, token in token == 1 })
        }

        deinit { lb_close(state) }

        func reference(_ make: (UnsafeMutablePointer<Int32>) -> lb_status) -> (lb_status, Int32) {
            var slot: Int32 = 0
            let status = make(&slot)
            return (status, slot)
        }

        func load(_ source: String) -> (lb_status, Int32) {
            reference { lb_load(state, source, source.utf8.count, "=t.lua", $0) }
        }

        /// The bytes of `{a = 1, b = {"x"}}`.
        static let record: [UInt8] = {
            let list: [UInt8] = [9, 16, 0, 0, 0, 1, 0, 0, 0, 7, 1, 0x78, 9, 0, 0, 0]
            var record: [UInt8] = [10, 41, 0, 0, 0, 2, 0, 0, 0, 7, 1, 0x61, 3, 1, 7, 1, 0x62]
            record += list
            record += [9, 0, 0, 0, 14, 0, 0, 0]
            return record
        }()

        func decode() -> (lb_status, Int32) {
            Self.record.withUnsafeBytes { bytes in
                var argument = lb_argument()
                argument.kind = LB_ARGUMENT_ENCODED
                argument.bytes = bytes.baseAddress
                argument.length = bytes.count
                return reference { lb_make_reference(state, &argument, $0) }
            }
        }
    }

    private static let source = """
        local t = {}
        for i = 1, 20 do t[i] = {id = i, name = ("n"):rep(i), ok = i % 2 == 0} end
        table.sort(t, function(a, b) return a.id > b.id end)
        local co = coroutine.wrap(function() for k in pairs(t[1]) do coroutine.yield(k) end end)
        for k in co do t[k] = nil end
        local text = table.concat({"a", 1, ("%s|%5.2f"):format({}, 2)}, ", "):gsub("%w", "<%0>")
        local ok = pcall(error, {text})
        local f = select(2, xpcall(function() error("x") end, function(m) return m .. "!" end))
        setmetatable({}, {__index = t})
        return {rows = t, text = text, ok = ok, f = f}
        """

    /// Single operations, so that the failure of each allocation in them is tested.
    private static let operations:
        [(String, @Sendable (OpaquePointer, Int32, Int32) -> lb_status)] = [
            (
                "call",
                { state, function, _ in
                    var result = lb_value()
                    let wants = Int32(LB_WANT_VALUE | LB_WANT_REFERENCE)
                    let status = lb_call_function(state, function, nil, 0, wants, &result)
                    lb_release(state, result.reference)
                    return status
                }
            ),
            (
                "view",
                { state, _, table in
                    var slot: Int32 = 0
                    let status = lb_make_view(state, table, "props", 5, nil, 0, &slot)
                    guard status == LB_OK else { return status }
                    defer { lb_release(state, slot) }
                    var field = lb_value()
                    let read = lb_get_field(state, slot, "b", 1, &field)
                    lb_release(state, field.reference)
                    return read
                }
            ),
            (
                "object",
                { state, _, table in
                    var type: Int32 = 0
                    var object: Int32 = 0
                    let status = lb_make_object_type(state, "context", 7, table, &type)
                    guard status == LB_OK else { return status }
                    defer { lb_release(state, type) }
                    let made = lb_make_object(state, type, 1, &object)
                    guard made == LB_OK else { return made }
                    defer { lb_release(state, object) }
                    var argument = lb_argument()
                    argument.kind = LB_ARGUMENT_STRING
                    return "a text that is longer than forty bytes, so not a short one".withCString
                    {
                        argument.bytes = UnsafeRawPointer($0)
                        argument.length = 50
                        return lb_object_set(state, object, "now", 3, &argument, 0)
                    }
                }
            ),
            (
                "trace",
                { state, function, _ in
                    let begun = lb_trace(
                        state,
                        { _, moment in
                            var variable = lb_variable()
                            for kind in [LB_LOCAL, LB_UPVALUE] {
                                var index: Int32 = 1
                                while lb_moment_variable(moment, 0, kind, index, &variable) {
                                    index += 1
                                }
                            }
                            var step = lb_value()
                            (step.type, step.integer) = (LB_TYPE_INTEGER, 1)
                            let steps = [step]
                            steps.withUnsafeBufferPointer { steps in
                                "t".withCString { name in
                                    var read = lb_read(
                                        name: lb_text(bytes: name, length: 1),
                                        steps: steps.baseAddress, count: 1, is_length: true)
                                    _ = lb_moment_read(moment, 0, &read, &variable)
                                }
                            }
                        }, LB_TRACED_RETURNS, 1, nil, 0)
                    guard begun == LB_OK else { return begun }
                    defer { lb_trace(state, nil, LB_TRACED_LINES, 1, nil, 0) }
                    var result = lb_value()
                    return lb_call_function(state, function, nil, 0, 0, &result)
                }
            ),
            (
                "encode",
                { state, _, table in
                    var value = lb_value()
                    return lb_encode(state, table, &value)
                }
            ),
            (
                "references",
                { state, _, table in
                    var slots: [Int32] = []
                    defer { for slot in slots { lb_release(state, slot) } }
                    for _ in 0..<300 {
                        var slot: Int32 = 0
                        let status = lb_retain(state, table, &slot)
                        guard status == LB_OK else { return status }
                        slots.append(slot)
                    }
                    return LB_OK
                }
            ),
            (
                "function",
                { state, _, table in
                    var slot: Int32 = 0
                    let status = lb_make_function(state, 1, false, &slot)
                    guard status == LB_OK else { return status }
                    defer { lb_release(state, slot) }
                    var argument = lb_argument()
                    argument.kind = LB_ARGUMENT_REFERENCE
                    argument.reference = table
                    var result = lb_value()
                    return withUnsafePointer(to: (argument, argument)) { pair in
                        pair.withMemoryRebound(to: lb_argument.self, capacity: 2) {
                            let wants = Int32(LB_WANT_VALUE)
                            return lb_call_function(state, slot, $0, 2, wants, &result)
                        }
                    }
                }
            ),
            (
                "remembered call",
                { state, _, table in
                    var methods: Int32 = 0
                    var type: Int32 = 0
                    var object: Int32 = 0
                    var function: Int32 = 0
                    defer {
                        for slot in [methods, type, object, function] { lb_release(state, slot) }
                    }
                    var status = lb_make_record(state, &methods)
                    if status == LB_OK {
                        status = lb_make_object_type(state, "o", 1, methods, &type)
                    }
                    if status == LB_OK { status = lb_make_object(state, type, 0, &object) }
                    if status == LB_OK { status = lb_make_function(state, 1, true, &function) }
                    var first = lb_argument()
                    first.kind = LB_ARGUMENT_REFERENCE
                    first.reference = object
                    var second = first
                    second.reference = table
                    // The second time the reply is remembered, if there was enough memory.
                    for _ in 0..<2 where status == LB_OK {
                        lb_object_recall(state, object)
                        var result = lb_value()
                        status = withUnsafePointer(to: (first, second, second)) { all in
                            all.withMemoryRebound(to: lb_argument.self, capacity: 3) {
                                lb_call_function(
                                    state, function, $0, 3, Int32(LB_WANT_VALUE), &result)
                            }
                        }
                    }
                    return status
                }
            ),
        ]

    @Test(arguments: operations.map(\.0), [true, false])
    func whenAnyAllocationFailsTheStateStaysUsable(name: String, once: Bool) throws {
        let operation = try #require(Self.operations.first { $0.0 == name }?.1)
        let bridge = try Bridge()
        let (loaded, function) = bridge.load(Self.source)
        let (decoded, table) = bridge.decode()
        try #require(loaded == LB_OK && decoded == LB_OK)
        var function2: Int32 = 0
        while lb_take_dead_function(bridge.state, &function2) {}
        for failing in 0..<100_000 {
            lb_fail_allocation(bridge.state, Int64(failing), once)
            let status = operation(bridge.state, function, table)
            let all = lb_allocation_countdown(bridge.state) >= 0
            lb_fail_allocation(bridge.state, -1, false)
            #expect(status == LB_OK || status == LB_MEMORY, "\(name), allocation \(failing)")
            #expect(operation(bridge.state, function, table) == LB_OK, "\(name), after \(failing)")
            if all { return }
        }
        Issue.record("there is no end of allocations")
    }

    @Test(arguments: [true, false])
    func whenAnyAllocationFailsLoadingAndDecodingAreHarmless(once: Bool) throws {
        let bridge = try Bridge()
        for failing in 0..<10_000 {
            lb_fail_allocation(bridge.state, Int64(failing), once)
            let (loaded, function) = bridge.load(Self.source)
            let (decoded, table) = bridge.decode()
            let all = lb_allocation_countdown(bridge.state) >= 0
            lb_fail_allocation(bridge.state, -1, false)
            #expect(loaded == LB_OK || loaded == LB_MEMORY)
            #expect(decoded == LB_OK || decoded == LB_MEMORY)
            lb_release(bridge.state, function)
            lb_release(bridge.state, table)
            if all { return }
        }
        Issue.record("there is no end of allocations")
    }

    @Test(arguments: [true, false]) func nothingIsLostWhenAllocationsFail(once: Bool) throws {
        let bridge = try Bridge()
        let (_, function) = bridge.load(Self.source)
        let (_, table) = bridge.decode()
        func settle() -> Int {
            for _ in 0..<4 { lb_collect_garbage(bridge.state) }
            return lb_memory_in_use(bridge.state)
        }
        for (_, operation) in Self.operations { _ = operation(bridge.state, function, table) }
        let before = settle()
        for failing in 0..<200 {
            for (_, operation) in Self.operations {
                lb_fail_allocation(bridge.state, Int64(failing), once)
                _ = operation(bridge.state, function, table)
                lb_fail_allocation(bridge.state, -1, false)
            }
        }
        #expect(settle() <= before + 2048)
    }
}
