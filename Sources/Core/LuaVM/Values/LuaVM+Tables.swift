import CLuaBridge

extension LuaVM {
    /// All fields of a table or view, read raw: whole numbers ascending, then names in the order of
    /// their bytes, then the rest. The fields of a script's function are its upvalues.
    ///
    /// ```swift
    /// let keys = try vm.fields(of: table).map(\.key)  // [.index(1), .index(2), .name("title")]
    /// ```
    ///
    /// - Throws: A ``LuaError`` of code `invalidUse` for any other value.
    public func fields(of table: LuaReference) throws(LuaError) -> [LuaField] {
        try collectFields(lb_fields_begin(bridge, slot(of: table))) ?? []
    }

    /// All fields of a table that should be small, as ``fields(of:)`` has them; `nil` if it is not.
    ///
    /// ```swift
    /// let fields = try vm.fields(of: table, upTo: 100, cuttingTextsTo: 200)  // nil for 101 fields
    /// ```
    ///
    /// - Parameter length: The number of bytes after which texts, including names, are cut.
    /// - Throws: As ``fields(of:)``.
    public func fields(
        of table: LuaReference, upTo limit: Int, cuttingTextsTo length: Int
    ) throws(LuaError) -> [LuaField]? {
        let fields = lb_fields_begin(bridge, slot(of: table))
        return try collectFields(fields, upTo: limit, cuttingTextsTo: length)
    }

    /// One field of a table or view, read raw; of type nil if there is none.
    ///
    /// ```swift
    /// let total = try vm.field("total", of: cart).scalar?.number
    /// ```
    ///
    /// - Throws: A ``LuaError`` of code `memoryLimit` or `processEnded`.
    public func field(_ name: String, of table: LuaReference) throws(LuaError) -> LuaField {
        var result = lb_value()
        let status = name.withBytes { bytes, count in
            lb_get_field(bridge, slot(of: table), bytes, count, &result)
        }
        try check(status)
        return field(key: .name(name), result)
    }

    /// Sets a field of a table, raw; nil removes it.
    ///
    /// ```swift
    /// try vm.setField("total", of: cart, to: .value(9.5))
    /// ```
    ///
    /// - Parameters:
    ///   - name: The key, a string to scripts.
    ///   - table: A table, not a view.
    ///   - argument: The new value; nil removes the field.
    /// - Throws: A ``LuaError`` of code `invalidUse` if it is not a table, `conversion`,
    ///   `memoryLimit` or `processEnded`.
    public func setField(
        _ name: String, of table: LuaReference, to argument: LuaArgument
    ) throws(LuaError) {
        guard type(of: table) == .table else { throw LuaError(.invalidUse, "not a table") }
        try set(name, ofTable: slot(of: table), to: argument)
    }

    /// Sets a global that all scripts can read. Scripts cannot set globals.
    ///
    /// ```swift
    /// try vm.setGlobal("version", to: .value("1.4"))
    /// ```
    ///
    /// - Throws: A ``LuaError`` of code `conversion`, `memoryLimit` or `processEnded`.
    public func setGlobal(_ name: String, to argument: LuaArgument) throws(LuaError) {
        try set(name, ofTable: 0, to: argument)
    }

    private func set(
        _ name: String, ofTable slot: Int32, to argument: LuaArgument
    ) throws(LuaError) {
        try argument.withBridged { argument throws(LuaError) in
            let status = name.withBytes { bytes, count in
                withUnsafePointer(to: argument) { lb_set_field(bridge, slot, bytes, count, $0) }
            }
            try check(status)
        }
    }

    func collectFields(
        _ begun: lb_status, upTo limit: Int = .max, cuttingTextsTo length: Int = .max
    ) throws(LuaError) -> [LuaField]? {
        guard begun != LB_ABSENT else { throw LuaError(.invalidUse, "not a table") }
        try check(begun)
        defer { lb_fields_end(bridge) }
        var fields: [LuaField] = []
        while true {
            var key = lb_value()
            var value = lb_value()
            let status = lb_fields_next(bridge, &key, &value)
            guard status != LB_ABSENT else { break }
            try check(status)
            key.cutText(to: length)
            value.cutText(to: length)
            fields.append(field(key: LuaField.Key(key), value))
            if fields.count > limit { return nil }
        }
        // Lua's own order of names differs from run to run.
        return fields.sorted { $0.key.precedes($1.key) }
    }

    /// The location where a script's function was defined; nil for one of the host or of Lua.
    ///
    /// ```swift
    /// print(vm.location(of: render)?.description ?? "")  // todo.lua:12
    /// ```
    public func location(of function: LuaReference) -> LuaLocation? {
        location(of: function.borrowed)
    }

    package func location(of function: LuaSlot) -> LuaLocation? {
        var location = lb_location()
        guard lb_function_location(bridge, function.number, &location) == LB_OK else { return nil }
        let chunk = String(location.chunk, location.chunk_length)
        return LuaLocation(chunk: chunk, line: Int(location.line))
    }
}

extension lb_value {
    fileprivate mutating func cutText(to limit: Int) {
        if type == LB_TYPE_STRING, length > limit { length = limit }
    }
}

extension LuaField.Key {
    fileprivate init(_ key: lb_value) {
        self =
            switch key.type {
            case LB_TYPE_STRING: .name(String(key.bytes, key.length))
            case LB_TYPE_INTEGER: .index(Int(key.integer))
            default: .other(LuaType(key.type))
            }
    }

    fileprivate func precedes(_ other: LuaField.Key) -> Bool {
        switch (self, other) {
        case (.index(let left), .index(let right)): left < right
        case (.index, _): true
        case (.name(let left), .name(let right)):
            left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.name, .other): true
        default: false
        }
    }
}
