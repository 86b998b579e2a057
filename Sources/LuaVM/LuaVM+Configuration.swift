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
        package var largeCount = 256
        /// Whether values are read by Lua's functions even where they could be read in its memory; for tests.
        package var readsByFunctions = false
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
}
