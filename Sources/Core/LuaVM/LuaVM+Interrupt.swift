import CLuaBridge

extension LuaVM {
    /// Interrupts the calls of a VM from another thread or a signal handler.
    ///
    /// ```swift
    /// let spin = try vm.load("while true do end", chunkName: "spin.lua")
    /// let interrupt = vm.interrupt
    /// Thread.detachNewThread {
    ///     Thread.sleep(forTimeInterval: 1)
    ///     interrupt.stop()
    /// }
    /// _ = try vm.call(spin)  // throws interrupted
    /// ```
    ///
    /// It may outlive the VM; then it has no effect.
    public final class Interrupt: @unchecked Sendable {
        // What it points to is atomic and counts its owners, so that all threads may use it.
        private let shared: OpaquePointer

        init(_ bridge: OpaquePointer) { shared = lb_retain_interrupt(bridge) }

        deinit { lb_release_interrupt(shared) }

        /// Interrupts the current outermost call with all that runs within it. The call throws a
        /// ``LuaError`` of code `interrupted`, which no script can catch, within some milliseconds.
        ///
        /// Never waits. Later calls are not affected. Conversions and the compiler finish first;
        /// their time is bounded by size limits.
        ///
        /// ```swift
        /// let wasCalling = vm.interrupt.stop()  // false if no call is under way
        /// ```
        @discardableResult
        public func stop() -> Bool { lb_interrupt_call(shared) }

        package var running: RunningCall? {
            var running = lb_running()
            guard lb_interrupt_running(shared, &running) else { return nil }
            return RunningCall(
                number: running.call,
                limit: running.limit == .max
                    ? nil : .nanoseconds(Int64(clamping: running.limit)),
                thread: running.thread == 0 ? nil : running.thread)
        }
    }

    /// The outermost running call of a VM, as another thread sees it.
    package struct RunningCall: Sendable {
        /// The number of the call, unique within its VM.
        package let number: UInt64
        package let limit: Duration?
        /// The system's number of the calling thread; `nil` if unknown or another process runs it.
        let thread: Int32?

        /// On Linux, gives the calling thread only time that no other one wants, for ever.
        package func lowerPriority() {
            if let thread { lb_lower_priority(thread) }
        }
    }

    /// The interrupt of this VM.
    public var interrupt: Interrupt { Interrupt(bridge) }
}

#if SIGNALS
    extension LuaVM {
        /// Sends the watchdog's signal to this thread at one of about `places` calls of the
        /// allocator, the same for the same seed; `stops` of 256 of them stop the call. For tests.
        package static func sendSignals(seed: UInt64, places: UInt32 = 40, stops: UInt32 = 0) {
            lb_signals(seed, places, stops)
        }
    }
#endif
