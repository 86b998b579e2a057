import CLuaBridge
public import PlainValue

extension LuaVM {
    /// The limits and settings of a VM.
    ///
    /// ```swift
    /// var options = LuaVM.Options()
    /// options.timeLimit = .milliseconds(500)
    /// options.memoryLimit = 8 << 20
    /// options.instructionLimit = 10_000
    /// let vm = try LuaVM(options)
    /// ```
    public struct Options: Sendable {
        /// The memory limit of the scripts in bytes.
        ///
        /// - Note: It can briefly be exceeded, at most twofold.
        public var memoryLimit = 64 << 20
        /// The time limit of an outermost call with nested calls and the conversion of results; nil
        /// for none. Precise to a sixteenth of the limit, at best two milliseconds.
        public var timeLimit: Duration? = .seconds(1)
        /// The instruction limit of an outermost call, the same on every machine; nil for none.
        ///
        /// - Note: With a limit, scripts run at about half their speed.
        public var instructionLimit: Int?
        /// The maximum size of a source text in bytes. It bounds the compiler's quadratic time.
        public var sourceLimit = 64 << 10
        /// The maximum number of bytes that an outermost call may print.
        public var printLimit = 1 << 20
        /// The maximum number of calls into Lua within one another, from host functions; 2000 by
        /// default. The machine stack is checked too, and may end the nesting earlier.
        public var maximumDepth = 2_000
        /// The limits of a converted value.
        public var valueLimits = ValueLimits(
            depth: 128, count: 1_000_000, byteCount: 32 << 20)
        /// The number of entries above which a table of a state is stored so that changing a few
        /// entries is cheap.
        public var largeCount = 256
        /// The way to read the values of tables. If `nil`, the environment variable
        /// `WORKFLOW_READING` decides, which is `direct` or `lua`; the default is direct.
        /// ``LuaVM/init(_:)`` throws for any other value of the variable.
        public var valueReading: ValueReading?
        /// The process that the scripts run in.
        public var isolation = Isolation.none
        /// The time beyond its limits that a process of scripts may take; for tests.
        package var isolationGrace: Duration?
        /// The seed of `math.random`.
        public var seed: UInt64 = 0

        /// The process that scripts run in.
        public enum Isolation: Sendable, Hashable {
            /// In this process.
            case none
            /// In a separate process that the kernel restricts to its memory: no file, network or
            /// other process. For Linux on x86-64 and arm64, if the VM is linked in.
            ///
            /// If it ends or does not answer in time, this and all later calls throw a ``LuaError``
            /// of the code `processEnded`, until ``LuaVM/restart()``.
            case process
        }

        /// Makes default options: 64 MB, one second, 64 KB of source, 2,000 nested calls.
        public init() {}
    }

    /// The way to read the values of tables. Both give the same values.
    public enum ValueReading: Sendable, Hashable {
        /// Directly in Lua's memory, several times as fast, without ever writing there. Used only
        /// if a check at run time finds the expected layout; otherwise values are read through Lua.
        case direct
        /// Through Lua's own functions.
        case throughLua

        static func wish(_ text: UnsafePointer<CChar>?) throws(LuaError) -> ValueReading {
            switch text.map({ String(cString: $0) }) ?? "" {
            case "direct", "": return .direct
            case "lua": return .throughLua
            case let other:
                throw LuaError(
                    .invalidUse, "WORKFLOW_READING is '\(other)', but may be 'direct' or 'lua'")
            }
        }
    }
}

extension lb_configuration {
    init(_ options: LuaVM.Options) {
        self.init(
            memory_limit: max(options.memoryLimit, 0),
            time_limit: options.timeLimit.map(\.nanosecondsAtLeastOne) ?? 0,
            instruction_limit: UInt64(max(options.instructionLimit ?? 0, 0)),
            source_limit: max(options.sourceLimit, 0),
            print_limit: max(options.printLimit, 0),
            depth_limit: Int32(clamping: max(options.maximumDepth, 1)),
            value_depth: UInt32(clamping: options.valueLimits.depth),
            value_count: UInt64(options.valueLimits.count),
            value_size: options.valueLimits.byteCount,
            large_count: UInt32(clamping: options.largeCount),
            seed: options.seed,
            reads_through_lua: options.valueReading == .throughLua,
            isolated: options.isolation == .process,
            grace: options.isolationGrace.map(\.nanosecondsAtLeastOne) ?? 0,
            call_limit: 0,
            validate: isPlainContainer)
    }
}

extension Duration {
    fileprivate var nanosecondsAtLeastOne: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 1 }
        let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max / 2 : max(product + UInt64(attoseconds / 1_000_000_000), 1)
    }
}
