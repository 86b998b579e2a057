import CLuaBridge
import CPeer
import Foundation
@testable import LuaVM
import TestSupport
import Testing

#if os(Linux)
    /// A message of a process, with a name for the reports.
    enum PeerMessage: String, CaseIterable, Sendable {
        case reply, call, confirm, print, moment, hits

        var raw: peer_message {
            switch self {
            case .reply: PEER_REPLY
            case .call: PEER_CALL
            case .confirm: PEER_CONFIRM
            case .print: PEER_PRINT
            case .moment: PEER_MOMENT
            case .hits: PEER_HITS
            }
        }

        /// True for a callback of a trace.
        var isTraced: Bool { self == .moment || self == .hits }
    }

    /// A record of the calls back from a state, with the host's part in them.
    final class PeerHost {
        var calls = 0
        var confirmations = 0
        var prints = 0
        var moments = 0
        var depth = 0
        var deepest = 0
        /// The call of a host function that runs.
        fileprivate(set) var active: OpaquePointer?
        var onCall: (PeerHost) -> Void = { _ in }
        var onConfirm: (PeerHost) -> Void = { _ in }
        var onPrint: (PeerHost) -> Void = { _ in }
        var onMoment: (PeerHost, OpaquePointer) -> Void = { _, _ in }
    }

    /// An isolated state whose process is played by a peer.
    final class PeerStage {
        let host = PeerHost()
        /// Nil if the state could not be opened.
        private(set) var opened: OpaquePointer?
        private(set) var function: Int32 = 0
        private(set) var table: Int32 = 0
        private let peer: OpaquePointer
        private let said: UnsafeMutableBufferPointer<UInt8>
        private let chunk = strdup("c")
        let line = UnsafeMutablePointer<lb_traced_line>.allocate(capacity: 1)

        /// By default the peer is fair until the function and the table are made and a trace begun,
        /// which a message of a trace implies. No limit comes first unless a test sets it.
        init(
            _ habit: peer_habit = PEER_WHOLE, _ message: PeerMessage = .reply, fair: Int? = nil,
            traces: Bool? = nil, saying said: [UInt8] = [],
            limits: (inout lb_configuration) -> Void = { _ in },
            change: (inout peer_plan) -> Void = { _ in }
        ) throws {
            self.said = .allocate(capacity: said.count)
            _ = self.said.initialize(from: said)
            var plan = peer_plan()
            let traces = traces ?? (message.isTraced && fair == nil)
            let fair = fair ?? (traces ? 4 : 3)
            plan.fair = UInt32(fair)
            plan.habit = habit
            plan.message = message.raw
            plan.chunk = 3
            plan.said = UnsafePointer(self.said.baseAddress)
            plan.said_size = said.count
            change(&plan)
            var configuration = Self.configuration
            limits(&configuration)
            peer = try #require(peer_start(&plan, &configuration, &opened))
            guard opened != nil else { return }
            lb_set_callbacks(
                opened, Unmanaged.passUnretained(host).toOpaque(),
                { owner, _, call in
                    PeerHost.of(owner).run(call)
                    return true
                },
                { owner, _, _, _ in
                    let host = PeerHost.of(owner)
                    host.prints += 1
                    host.onPrint(host)
                },
                { owner, _ in
                    let host = PeerHost.of(owner)
                    host.confirmations += 1
                    host.onConfirm(host)
                    return true
                })
            if fair > 1 { _ = lb_make_function(opened, 3, false, &function) }
            if fair > 2 { _ = lb_make_record(opened, &table) }
            if traces { beginTrace() }
        }

        deinit {
            close()
            peer_end(peer)
            said.deallocate()
            line.deallocate()
            free(chunk)
        }

        /// Has a line told, in calls that take no longer than others.
        private func beginTrace() {
            line.initialize(
                to: lb_traced_line(
                    chunk: lb_text(bytes: chunk, length: 1), line: 7, hits: 0, next: 0,
                    condition: nil))
            _ = lb_trace(
                opened,
                { owner, moment in
                    guard let moment else { return }
                    let host = PeerHost.of(owner)
                    host.moments += 1
                    host.onMoment(host, moment)
                }, LB_TRACED_CATCHES, 1, line, 1)
        }

        func close() {
            if let opened { lb_close(opened) }
            opened = nil
        }

        static var configuration: lb_configuration {
            var limits = lb_configuration()
            limits.memory_limit = 1 << 20
            limits.value_size = 1 << 20
            limits.value_depth = 16
            limits.value_count = 1000
            limits.source_limit = 1000
            limits.depth_limit = 10
            limits.print_limit = 1 << 20
            limits.time_limit = 600_000_000_000
            limits.isolated = true
            limits.validate = isPlainContainer
            return limits
        }

        /// The largest message that such a state accepts.
        static let frameLimit: UInt32 = 5 << 20

        var state: OpaquePointer {
            get throws { try #require(opened, "\(String(cString: lb_isolation_problem()))") }
        }

        var isGone: Bool { opened.map { lb_is_gone($0) } ?? true }

        var reason: String { opened.map { String(cString: lb_gone_reason($0)) } ?? "not opened" }

        func call(_ argument: lb_argument? = nil) -> lb_status {
            var result = lb_value()
            guard var argument else {
                return lb_call_function(opened, function, nil, 0, Int32(LB_WANT_VALUE), &result)
            }
            return lb_call_function(opened, function, &argument, 1, Int32(LB_WANT_VALUE), &result)
        }

        func call(withText count: Int) -> lb_status {
            let text = [UInt8](repeating: 0x61, count: count)
            return text.withUnsafeBytes { bytes in
                var argument = lb_argument()
                argument.kind = LB_ARGUMENT_STRING
                argument.bytes = bytes.baseAddress
                argument.length = bytes.count
                return call(argument)
            }
        }

        func nestCalls() { host.onCall = { [unowned self] _ in _ = call() } }

        /// Waits until the peer has sent what its plan is about.
        func waitForPeer() { while !peer_is_done(peer) { sched_yield() } }

        func interrupt() {
            let interrupt = lb_retain_interrupt(opened)
            lb_interrupt_call(interrupt)
            lb_release_interrupt(interrupt)
        }
    }

    extension PeerHost {
        fileprivate static func of(_ owner: UnsafeMutableRawPointer?) -> PeerHost {
            guard let owner else { preconditionFailure("a callback without its owner") }
            // The stage passes it, and lives longer than its state.
            return Unmanaged<PeerHost>.fromOpaque(owner).takeUnretainedValue()
        }

        fileprivate func run(_ call: OpaquePointer?) {
            let outer = active
            active = call
            calls += 1
            depth += 1
            deepest = max(deepest, depth)
            onCall(self)
            depth -= 1
            active = outer
        }
    }

    /// Holds the thread until so much time has passed, as a slow host function does.
    func dawdle(_ duration: Duration) {
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end {}
    }
#endif
