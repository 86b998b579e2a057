import CLuaBridge
import CPeer
import Foundation
@testable import LuaVM
import PlainValue
import TestSupport
import Testing

#if os(Linux)
    /// A script process that sends arbitrary messages: the host refuses them without harm.
    @Suite struct HostileProcessTests {
        /// A state that is opened, and whose process then says these messages, one for each that it
        /// hears. Host functions read all their arguments.
        private func makeStage(saying said: [UInt8]) throws -> PeerStage {
            let stage = try PeerStage(PEER_SAID, fair: 1, saying: said) { $0.print_limit = 1000 }
            stage.host.onCall = { host in
                var value = lb_value()
                for index in Int32(-1)...260 {
                    lb_call_scalar(host.active, index, &value)
                    _ = lb_call_type(host.active, index)
                }
                var reference: Int32 = 0
                _ = lb_call_reference(host.active, 1, &reference)
            }
            return stage
        }

        private static var made: [UInt8] { frame(1, Array(repeating: 0, count: 56 + 9)) }

        private static func frame(_ kind: UInt8, _ content: [UInt8]) -> [UInt8] {
            let length = UInt32(content.count + 1)
            return withUnsafeBytes(of: length.littleEndian, Array.init) + [kind] + content
        }

        /// Calls everything, and returns the number of successful calls.
        private func ask(_ stage: PeerStage) -> Int {
            let state = stage.opened
            var (answers, slot) = (0, Int32(0))
            var (first, second) = (lb_value(), lb_value())
            func note(_ status: lb_status) { if status == LB_OK { answers += 1 } }
            note(lb_make_function(state, 3, false, &slot))
            note(lb_make_record(state, &slot))
            note(
                lb_call_function(
                    state, slot, nil, 0, Int32(LB_WANT_VALUE | LB_WANT_REFERENCE), &first))
            var table = lb_argument()
            table.kind = LB_ARGUMENT_REFERENCE
            table.reference = slot
            note(
                lb_call_changing(
                    state, slot, &table, 1, Int32(LB_WANT_VALUE), nil, 0, &first, &second))
            note(lb_encode(state, slot, &first))
            if lb_fields_begin(state, slot) == LB_OK {
                while lb_fields_next(state, &first, &second) == LB_OK { answers += 1 }
                lb_fields_end(state)
            }
            note(lb_get_field(state, slot, "a", 1, &first))
            lb_release(state, slot)
            _ = lb_last_error(state).pointee.frame_count
            return answers
        }

        @Test(arguments: SeededNumbers.seeds(1...300))
        func randomBytesAreRefused(seed: UInt64) throws {
            var numbers = SeededNumbers(seed: seed)
            let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            let stage = try makeStage(saying: bytes)
            _ = ask(stage)
            #expect(stage.isGone)
        }

        /// Whole frames of every kind, whose contents are often nearly valid.
        @Test(arguments: SeededNumbers.seeds(1...600))
        func framesOfNonsenseAreRefused(seed: UInt64) throws {
            var numbers = SeededNumbers(seed: seed)
            var bytes: [UInt8] = []
            for _ in 0..<8 {
                let kind = UInt8.random(in: 0...5, using: &numbers)
                // The header of a reply (status, memory, random numbers), then random bytes.
                var content = [UInt8](repeating: 0, count: kind == 1 ? 56 : 0)
                for _ in 0..<Int.random(in: 0...40, using: &numbers) {
                    content.append(
                        Bool.random(using: &numbers)
                            ? UInt8.random(in: 0...6, using: &numbers)
                            : UInt8.random(in: 0...255, using: &numbers))
                }
                if kind == 1, Int.random(in: 0...3, using: &numbers) == 0 {
                    content[0] = UInt8.random(in: 0...16, using: &numbers)
                }
                bytes += Self.frame(kind, content)
            }
            let stage = try makeStage(saying: bytes)
            _ = ask(stage)
            #expect(stage.isGone)
        }

        @Test func aLengthBeyondAllLimitsIsRefusedUnread() throws {
            let stage = try makeStage(saying: [0xff, 0xff, 0xff, 0x7f, 1])
            var slot: Int32 = 0
            #expect(lb_make_record(stage.opened, &slot) == LB_GONE)
            #expect(stage.reason == "it broke the protocol: a message has an impossible length")
        }

        @Test func aCallOfAFunctionThatWasNotMadeIsRefused() throws {
            let call: [UInt8] = [9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
            let stage = try makeStage(saying: Self.made + Self.frame(2, call))
            var (result, slot) = (lb_value(), Int32(0))
            #expect(lb_make_record(stage.opened, &slot) == LB_OK)
            #expect(lb_call_function(stage.opened, slot, nil, 0, 0, &result) == LB_GONE)
            #expect(stage.reason == "it broke the protocol: a call of a host function is none")
        }

        @Test func aValueThatIsNoneIsRefused() throws {
            // A list whose element is beyond its end.
            let list: [UInt8] = [9, 18, 0, 0, 0, 1, 0, 0, 0, 3, 1, 0, 0, 0, 99, 0, 0, 0]
            let reply = [UInt8](repeating: 0, count: 56) + [6, 1, 18, 0, 0, 0] + list
            let stage = try makeStage(saying: Self.made + Self.frame(1, reply))
            var (value, slot) = (lb_value(), Int32(0))
            #expect(lb_make_record(stage.opened, &slot) == LB_OK)
            #expect(lb_encode(stage.opened, slot, &value) == LB_GONE)
        }

        /// The wrong replies to a function call, and the reasons that the host reports.
        @Test(arguments: [
            (frame(4, [4, 0, 0, 0] + Array("text".utf8) + [0, 0, 0, 0, 0, 0, 0, 0]), nil),
            (frame(4, [0xff, 0xff, 0, 0]), "it prints more than it may"),
            (frame(1, [1, 2, 3]), "a reply is none"),
            (frame(1, [99] + [UInt8](repeating: 0, count: 55)), "a reply is none"),
            (
                frame(1, [UInt8](repeating: 0, count: 56) + [0, 7]),
                "a reply is not what was asked for"
            ),
            (frame(9, []), "a message comes that does not belong there"),
        ]) func whatIsNoReplyIsNamed(bytes: [UInt8], reason: String?) throws {
            let stage = try makeStage(saying: Self.made + bytes)
            var (value, slot) = (lb_value(), Int32(0))
            #expect(lb_make_record(stage.opened, &slot) == LB_OK)
            #expect(lb_call_function(stage.opened, slot, nil, 0, 0, &value) == LB_GONE)
            let told = stage.reason
            #expect(
                told == reason.map { "it broke the protocol: \($0)" }
                    ?? "nothing is known of its end")
        }

        @Test func fieldsThatCannotBeAreRefused() throws {
            let reply = [UInt8](repeating: 0, count: 56) + [0, 0xff, 0, 0, 0]
            let stage = try makeStage(saying: Self.made + Self.frame(1, reply))
            var slot: Int32 = 0
            #expect(lb_make_record(stage.opened, &slot) == LB_OK)
            #expect(lb_fields_begin(stage.opened, slot) == LB_GONE)
            #expect(stage.reason == "it broke the protocol: a table has impossible fields")
        }

        @Test(arguments: [PEER_TWICE, PEER_TWICE_APART])
        func aProcessThatSpeaksUnaskedIsRefused(habit: peer_habit) throws {
            let stage = try PeerStage(habit, fair: 0)
            stage.waitForPeer()
            // Read together with the reply before it, or separately.
            #expect(stage.isGone)
            #expect(stage.reason == "it broke the protocol: it speaks without being asked")
        }
    }
#endif
