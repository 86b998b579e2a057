import CLuaBridge
public import PlainValue

extension LuaVM {
    /// What a VM may use.
    public struct Configuration: Sendable {
        /// Bytes that the scripts' memory may take. It is briefly exceeded, at most twofold.
        public var memoryLimit = 64 << 20
        /// How long one outermost call may take, with all calls within it and with making plain values of what it
        /// returns; nil: as long as it likes. Checked to within a sixteenth, and at best to within two milliseconds.
        public var timeLimit: Duration? = .seconds(1)
        /// How many instructions one outermost call may run. The same on every machine, but a
        /// script runs at about half its speed; nil: any number, and full speed.
        public var instructionLimit: Int?
        /// Bytes that a source text may have. The compiler can take quadratic time, which nothing
        /// else bounds.
        public var sourceLimit = 64 << 10
        /// Bytes that one outermost call may print.
        public var printLimit = 1 << 20
        /// How deep calls into Lua may be nested within host functions. The machine stack is
        /// looked at as well, and may end the nesting before.
        public var maximumDepth = 2_000
        /// What one converted value may hold.
        public var valueLimits = ValueLimits(
            depth: 128, count: 1_000_000, byteCount: 32 << 20)
        /// Entries above which a table of a state is kept in a way that makes changing a few of them cheap.
        public var largeCount = 256
        /// How the values of tables are read. `nil`: as the environment variable `WORKFLOW_READING` says, which is
        /// `direct` or `lua`; without it directly. A variable that says anything else is an error of ``LuaVM/init(_:)``.
        public var valueReading: ValueReading?
        /// Where the scripts run.
        public var isolation = Isolation.none
        /// How much longer than its limits a process of scripts may take; for tests.
        package var isolationGrace: Duration?
        /// Where `math.random` starts.
        public var seed: UInt64 = 0

        /// Where scripts run.
        public enum Isolation: Sendable, Hashable {
            /// In this process.
            case none
            /// In a process of their own, which the kernel keeps from everything but its memory: no file, no network,
            /// no other process. Linux on x86-64 and arm64 only, in a program that the VM is linked into.
            ///
            /// When that process ends or does not come back in time, the call under way throws a ``LuaError`` of the
            /// code `processEnded`, and so does every other one until ``LuaVM/restart()``.
            case process
        }

        /// 64 MB, one second, 64 KB of source, 2,000 nested calls.
        public init() {}
    }

    /// How the values of tables are read, which gives the same values in either way.
    public enum ValueReading: Sendable, Hashable {
        /// Where Lua keeps them, several times as fast. Nothing is ever written there. It is done only where the
        /// process has a Lua whose tables are as expected, which is found out by trying; else they are read
        /// through Lua.
        case direct
        /// By Lua's own functions.
        case throughLua

        /// What the environment asks for.
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
    init(_ configuration: LuaVM.Configuration) {
        self.init(
            memory_limit: max(configuration.memoryLimit, 0),
            time_limit: configuration.timeLimit.map(\.nanosecondsAtLeastOne) ?? 0,
            instruction_limit: UInt64(max(configuration.instructionLimit ?? 0, 0)),
            source_limit: max(configuration.sourceLimit, 0),
            print_limit: max(configuration.printLimit, 0),
            depth_limit: Int32(clamping: max(configuration.maximumDepth, 1)),
            value_depth: UInt32(clamping: configuration.valueLimits.depth),
            value_count: UInt64(configuration.valueLimits.count),
            value_size: configuration.valueLimits.byteCount,
            large_count: UInt32(clamping: configuration.largeCount),
            seed: configuration.seed,
            reads_through_lua: configuration.valueReading == .throughLua,
            isolated: configuration.isolation == .process,
            grace: configuration.isolationGrace.map(\.nanosecondsAtLeastOne) ?? 0,
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
