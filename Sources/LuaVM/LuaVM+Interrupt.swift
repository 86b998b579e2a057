import CLuaBridge

extension LuaVM {
    /// Stops the calls of a VM from elsewhere: another thread, or a signal handler.
    ///
    /// It may be kept for longer than the VM; then there is nothing to stop.
    ///
    /// `@unchecked Sendable` because all that is shared is atomic and counts its owners.
    public final class Interrupt: @unchecked Sendable {
        private let shared: OpaquePointer

        init(_ bridge: OpaquePointer) { shared = lb_retain_interrupt(bridge) }

        deinit { lb_release_interrupt(shared) }

        /// Stops the outermost call that is under way, and all that runs within it: it throws a ``LuaError`` of the code
        /// `interrupted`, within some milliseconds, and no script can catch it.
        ///
        /// Never waits. Calls that begin later run as ever. Conversions and the compiler, which take no longer than
        /// their limits of size allow, are finished first.
        ///
        /// - Returns: Whether a call was under way.
        @discardableResult
        public func stop() -> Bool { lb_interrupt_call(shared) }
    }

    /// What stops this VM's calls.
    public var interrupt: Interrupt { Interrupt(bridge) }
}

#if SIGNALS
    extension LuaVM {
        /// Lets the watchdog's signal arrive on this thread at one of about `places` calls of the allocator, again the same
        /// ones for the same seed; `stops` of 256 of them stop the call that is under way. For tests.
        package static func sendSignals(seed: UInt64, places: UInt32 = 40, stops: UInt32 = 0) {
            lb_signals(seed, places, stops)
        }
    }
#endif
