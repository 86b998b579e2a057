import CLuaBridge
import CPeer
import Foundation
@testable import LuaVM
import PlainValue
import TestSupport
import Testing

#if os(Linux)
    /// A script process that was taken over keeps to the form of the protocol, but not to its turns
    /// or to any limit. Its host ends it in time.
    @Suite struct PeerTests {
        private static let late = "it did not come back within 0.1 seconds"
        private static let interrupted = "it did not end a call that was interrupted"
        private static let unasked = "it broke the protocol: it speaks without being asked"
        private static let tooOften = "it called the host more often than a call may"
        private static let length = "it broke the protocol: a message has an impossible length"
        private static let unexpected =
            "it broke the protocol: a message comes that does not belong there"
        private static let wrongReply = "it broke the protocol: a reply is not what was asked for"
        private static let noMoment = "it broke the protocol: a moment of a trace is none"
        private static let noCount =
            "it broke the protocol: it counts what it was not asked to count"
        private static let closed = "nothing is known of its end"

        private static func short(_ limits: inout lb_configuration) {
            limits.time_limit = 50_000_000
            limits.grace = 10_000_000
            limits.print_limit = .max >> 2
        }

        private static func untimed(_ limits: inout lb_configuration) {
            limits.time_limit = 0
            limits.grace = 5_000_000
            limits.print_limit = .max >> 2
        }

        // MARK: A process that keeps to the rules

        @Test func aFairProcessIsLeftAlone() throws {
            let stage = try PeerStage()
            for _ in 0..<100 { #expect(stage.call() == LB_OK) }
            for name in Requests.all.map(\.name) {
                #expect(try Requests.make(name, of: stage) == LB_OK, "\(name)")
            }
            #expect(!stage.isGone)
        }

        // MARK: Floods

        @Test(arguments: [PeerMessage.call, .confirm, .moment])
        func aProcessThatDoesNotWaitForTheAnswerIsEnded(message: PeerMessage) throws {
            let stage = try PeerStage(PEER_FLOOD, message)
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.unasked)
        }

        @Test func aFloodOfRepliesIsNotAnAnswerToTheNextRequest() throws {
            let stage = try PeerStage(PEER_FLOOD, .reply)
            #expect(stage.call() == LB_OK)
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.unasked)
        }

        @Test func aFloodOfPrintsEndsAtTheirLimit() throws {
            let stage = try PeerStage(PEER_FLOOD, .print) { $0.print_limit = 1000 }
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == "it broke the protocol: it prints more than it may")
            #expect(stage.host.prints == 125)
        }

        @Test(arguments: [PeerMessage.call, .confirm, .print, .moment, .hits])
        func messagesWithoutEndEndAtTheTimeLimit(message: PeerMessage) throws {
            let habit = message == .print ? PEER_FLOOD : PEER_WHOLE
            let stage = try PeerStage(habit, message, limits: Self.short)
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.late)
        }

        @Test(arguments: [PeerMessage.call, .confirm, .moment])
        func thereIsABoundForCallsWithoutATimeLimit(message: PeerMessage) throws {
            let stage = try PeerStage(PEER_WHOLE, message) {
                $0.time_limit = 0
                $0.call_limit = 1000
            }
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.tooOften)
            let host = stage.host
            #expect(host.calls + host.confirmations + host.moments == 1000)
        }

        @Test func nestedCallsCountForTheOutermostOne() throws {
            let stage = try PeerStage(PEER_WHOLE, .call) {
                $0.time_limit = 0
                $0.call_limit = 100
            }
            stage.nestCalls()
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.tooOften)
            #expect(stage.host.calls == 100)
            #expect(stage.host.deepest <= 10)
        }

        @Test func nestedCallsEndAtTheTimeLimitOfTheOutermostOne() throws {
            let stage = try PeerStage(PEER_WHOLE, .call, limits: Self.short)
            stage.nestCalls()
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.late)
        }

        @Test func theCountStartsAgainForEachOutermostCall() throws {
            let said = (0..<20).flatMap { _ in Frame.confirmation + Frame.result }
            let stage = try PeerStage(PEER_SAID, saying: said) { $0.call_limit = 1 }
            for _ in 0..<20 { #expect(stage.call() == LB_OK) }
            #expect(stage.host.confirmations == 20)
        }

        // MARK: Interrupts

        @Test(arguments: [PeerMessage.call, .confirm, .print, .moment])
        func anInterruptEndsMessagesWithoutEnd(message: PeerMessage) throws {
            let habit = message == .print ? PEER_FLOOD : PEER_WHOLE
            let stage = try PeerStage(habit, message, limits: Self.untimed)
            let stop = { [unowned stage] (host: PeerHost) in
                let all = host.calls + host.confirmations + host.prints + host.moments
                if all == 100 { stage.interrupt() }
            }
            stage.host.onCall = stop
            stage.host.onConfirm = stop
            stage.host.onPrint = stop
            stage.host.onMoment = { host, _ in stop(host) }
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.interrupted)
        }

        @Test func anInterruptEndsNestedCalls() throws {
            let stage = try PeerStage(PEER_WHOLE, .call, limits: Self.untimed)
            stage.host.onCall = { [unowned stage] host in
                if host.calls == 50 { stage.interrupt() }
                _ = stage.call()
            }
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.interrupted)
        }

        @Test(arguments: [PEER_SILENT, PEER_HALF, PEER_TRICKLE, PEER_DEAF])
        func anInterruptEndsWaiting(habit: peer_habit) throws {
            let stage = try PeerStage(
                habit, .call, limits: Self.untimed, change: { $0.chunk = 100_000 })
            let interrupt = lb_retain_interrupt(try stage.state)
            defer { lb_release_interrupt(interrupt) }
            let address = UInt(bitPattern: interrupt)
            // It cannot be stopped before it runs.
            Thread.detachNewThread {
                while !lb_interrupt_call(OpaquePointer(bitPattern: address)) { sched_yield() }
            }
            #expect(stage.call(withText: 4 << 20) == LB_GONE)
            #expect(stage.reason == Self.interrupted)
        }

        @Test func aCallAfterAnInterruptGainsNoTimeFromASlowHostFunction() throws {
            let stage = try PeerStage(PEER_WHOLE, .call) {
                $0.time_limit = 0
                $0.grace = 100_000_000
            }
            stage.host.onCall = { [unowned stage] _ in
                stage.interrupt()
                dawdle(.milliseconds(101))
            }
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.interrupted)
            // The interrupt is noticed with the answer to the first call.
            #expect(stage.host.calls <= 2)
        }

        // MARK: Answers that nobody asked for

        @Test(arguments: [PEER_TWICE, PEER_TWICE_APART])
        func aSecondReplyIsNotTheAnswerToTheNextRequest(habit: peer_habit) throws {
            let stage = try PeerStage(habit, .reply)
            #expect(stage.call() == LB_OK)
            stage.waitForPeer()
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.unasked)
        }

        @Test(arguments: [PEER_TWICE, PEER_TWICE_APART])
        func aSecondReplyIsNotTheAnswerToAnotherRequest(habit: peer_habit) throws {
            for request in Requests.all {
                let stage = try PeerStage(habit, .reply)
                #expect(try Requests.make(request.name, of: stage) == LB_OK)
                stage.waitForPeer()
                #expect(stage.isGone)
                #expect(try Requests.make(request.name, of: stage) == LB_GONE)
                #expect(stage.reason == Self.unasked, "\(request.name)")
            }
        }

        @Test(arguments: [PeerMessage.call, .confirm], [PEER_TWICE, PEER_TWICE_APART])
        func aSecondCallDoesNotWaitForTheAnswer(message: PeerMessage, habit: peer_habit) throws {
            let stage = try PeerStage(habit, message)
            // By the time of the answer it has come. Otherwise both sides may go on in turns until
            // each waits for room.
            stage.host.onCall = { [unowned stage] _ in stage.waitForPeer() }
            stage.host.onConfirm = stage.host.onCall
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.unasked)
        }

        @Test func aSecondCallIsNotTheAnswerToARequestOfAHostFunction() throws {
            let stage = try PeerStage(PEER_TWICE, .call)
            var status = LB_OK
            stage.host.onCall = { [unowned stage] _ in
                var made: Int32 = 0
                status = lb_make_record(stage.opened, &made)
            }
            #expect(stage.call() == LB_GONE)
            #expect(status == LB_GONE)
            #expect(stage.reason == Self.unasked)
        }

        // MARK: Messages that do not end

        @Test(arguments: PeerMessage.allCases, [PEER_HALF, PEER_TRICKLE])
        func aMessageThatDoesNotEndIsNotWaitedFor(message: PeerMessage, habit: peer_habit) throws {
            let stage = try PeerStage(
                habit, message, limits: Self.short, change: { $0.chunk = 1000 })
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.late)
        }

        /// There is always a byte to read, so the host never waits.
        @Test(arguments: [PeerMessage.call, .print])
        func aMessageThatComesByteByByteIsNotReadForEver(message: PeerMessage) throws {
            let stage = try PeerStage(
                PEER_DRIP, message, limits: Self.short, change: { $0.chunk = 3 << 20 })
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.late)
        }

        @Test(arguments: PeerMessage.allCases)
        func aMessageThatIsCutOffIsRefused(message: PeerMessage) throws {
            let stage = try PeerStage(PEER_HALF_END, message)
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.closed)
        }

        @Test(arguments: [PEER_SILENT, PEER_DEAF])
        func aSilentProcessIsEndedAtTheTimeLimit(habit: peer_habit) throws {
            let stage = try PeerStage(habit, limits: Self.short)
            #expect(stage.call(withText: 4 << 20) == LB_GONE)
            #expect(stage.reason == Self.late)
        }

        @Test func aProcessThatClosesItsEndIsGone() throws {
            let stage = try PeerStage(PEER_END)
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.closed)
        }

        // MARK: Lengths

        @Test(
            arguments: PeerMessage.allCases,
            [0, 1 << 31 - 1, 1 << 31, .max, PeerStage.frameLimit * 2] as [UInt32])
        func impossibleLengthsAreRefusedUnread(message: PeerMessage, length: UInt32) throws {
            let stage = try PeerStage(PEER_LENGTH, message, change: { $0.length = length })
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.length)
        }

        @Test(arguments: [
            (PeerMessage.reply, "it broke the protocol: a reply is none"),
            (.call, "it broke the protocol: a call of a host function is none"),
            (.confirm, "it broke the protocol: it asks for a confirmation of nothing"),
            (.print, "it broke the protocol: it prints more than it may"),
            (.moment, noMoment), (.hits, noCount),
        ]) func aMessageWithoutContentsIsRefused(message: PeerMessage, reason: String) throws {
            let stage = try PeerStage(PEER_LENGTH, message, change: { $0.length = 1 })
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == reason)
        }

        @Test(arguments: PeerMessage.allCases, [PEER_SHORT, PEER_LONG])
        func aByteTooFewOrTooManyIsRefused(message: PeerMessage, habit: peer_habit) throws {
            let stage = try PeerStage(habit, message)
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason.hasPrefix("it broke the protocol: "))
        }

        // MARK: Messages of the wrong kind

        @Test(arguments: Requests.all.filter { !$0.calls }.map(\.name))
        func onlyCallsMayCallBack(request: String) throws {
            for message in PeerMessage.allCases where message != .reply {
                let stage = try PeerStage(PEER_WHOLE, message)
                #expect(try Requests.make(request, of: stage) == LB_GONE)
                #expect(
                    stage.reason
                        == "it broke the protocol: a message comes that does not belong there")
                let host = stage.host
                #expect(host.calls + host.confirmations + host.prints + host.moments == 0)
                #expect(!message.isTraced || stage.line.pointee.hits == 0)
            }
        }

        @Test(arguments: Requests.all.map(\.name))
        func anUnknownMessageIsRefused(request: String) throws {
            let stage = try PeerStage(PEER_WHOLE, change: { $0.message = PEER_UNKNOWN })
            #expect(try Requests.make(request, of: stage) == LB_GONE)
            #expect(
                stage.reason == "it broke the protocol: a message comes that does not belong there")
        }

        @Test(arguments: Requests.all.map(\.name))
        func theReplyToAnotherRequestIsRefused(request: String) throws {
            let expectsText = ["call", "encoding", "field"].contains(request)
            let wrong =
                (expectsText ? [] : [Frame.text]) + (request == "fields" ? [] : [Frame.fields])
            for reply in wrong {
                let stage = try PeerStage(PEER_SAID, saying: reply)
                #expect(try Requests.make(request, of: stage) == LB_GONE)
                #expect(stage.reason.hasPrefix("it broke the protocol: "), "\(stage.reason)")
            }
        }

        // MARK: Opening and closing

        @Test(arguments: [
            (PEER_HALF_END, PeerMessage.reply, closed), (PEER_END, .reply, closed),
            (PEER_SHORT, .reply, "it broke the protocol: a reply is none"),
            (PEER_LONG, .reply, "it broke the protocol: a reply is not what was asked for"),
            (PEER_LENGTH, .reply, length),
            (
                PEER_WHOLE, .call,
                "it broke the protocol: a message comes that does not belong there"
            ),
            (
                PEER_FLOOD, .print,
                "it broke the protocol: a message comes that does not belong there"
            ),
        ])
        func whoOpensWronglyIsRefused(
            habit: peer_habit, message: PeerMessage, reason: String
        ) throws {
            let stage = try PeerStage(habit, message, fair: 0, change: { $0.length = .max })
            #expect(stage.opened == nil)
            #expect(String(cString: lb_isolation_problem()) == reason)
        }

        @Test(arguments: [PEER_TWICE, PEER_TWICE_APART, PEER_FLOOD])
        func aProcessThatSaysTwiceThatItIsOpenIsRefused(habit: peer_habit) throws {
            let stage = try PeerStage(habit, fair: 0)
            if habit != PEER_FLOOD { stage.waitForPeer() }
            #expect(stage.isGone)
            #expect(stage.reason == Self.unasked)
        }

        @Test(arguments: [PEER_FLOOD, PEER_TWICE, PEER_LONG])
        func aStateIsClosedWhateverItsProcessSays(habit: peer_habit) throws {
            let stage = try PeerStage(habit)
            _ = stage.call()
            stage.close()
            #expect(stage.opened == nil)
        }

        // MARK: Tables

        @Test(arguments: [false, true]) func aTableWithoutEndIsRefused(refers: Bool) throws {
            let stage = try PeerStage(change: {
                $0.endless = true
                $0.fields = 64
                $0.refers = refers
            })
            let state = try stage.state
            #expect(lb_fields_begin(state, stage.table) == LB_OK)
            var (key, value, count) = (lb_value(), lb_value(), 0)
            var status = LB_OK
            while status == LB_OK {
                status = lb_fields_next(state, &key, &value)
                if value.reference != 0 { lb_release(state, value.reference) }
                count += 1
            }
            lb_fields_end(state)
            #expect(status == LB_GONE)
            #expect(stage.reason == "it broke the protocol: a table has impossible fields")
            // A field takes at least ten bytes.
            #expect(count < PeerStage.frameLimit / 10)
        }

        @Test func theFieldsOfATableAreOneRequest() throws {
            // Each message comes in time.
            let stage = try PeerStage(
                limits: Self.short,
                change: {
                    $0.endless = true
                    $0.fields = 1
                    $0.pause = 5
                })
            let state = try stage.state
            var (key, value) = (lb_value(), lb_value())
            var status = lb_fields_begin(state, stage.table)
            while status == LB_OK { status = lb_fields_next(state, &key, &value) }
            #expect(status == LB_GONE)
            #expect(stage.reason == Self.late)
        }

        // MARK: Traces

        @Test(arguments: [PeerMessage.moment, .hits])
        func whatNobodyTracesIsNotTold(message: PeerMessage) throws {
            let stage = try PeerStage(PEER_WHOLE, message, traces: false)
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == (message == .hits ? Self.noCount : Self.unexpected))
            #expect(stage.host.moments == 0)
        }

        @Test func aMomentIsToldWithItsParts() throws {
            let said = Frame.hits([(0, 5)]) + Frame.moment() + Frame.variable + Frame.result
            let stage = try PeerStage(PEER_SAID, traces: true, saying: said)
            var told: [Int] = []
            stage.host.onMoment = { _, moment in
                var (level, variable) = (lb_level(), lb_variable())
                told = [lb_moment_traced(moment), Int(lb_moment_depth(moment, true))]
                guard lb_moment_level(moment, 0, &level),
                    lb_moment_variable(moment, 0, LB_LOCAL, 1, &variable)
                else { return }
                told += [Int(level.line), variable.name.length, Int(variable.value.integer)]
            }
            #expect(stage.call() == LB_OK)
            #expect(told == [0, 3, 7, 1, 1])
            #expect(stage.line.pointee.hits == 5)
        }

        @Test(arguments: [
            Frame.moment(traced: 1), Frame.moment(traced: -2), Frame.moment(traced: .max),
            Frame.moment(depth: -1), Frame.moment(depth: .max), Frame.moment(inThread: 4),
            Frame.moment(inThread: -1), Frame.moment(line: -1), Frame.moment(isReturn: 2),
        ]) func aMomentThatCannotBeIsNotTold(said: [UInt8]) throws {
            let stage = try PeerStage(PEER_SAID, traces: true, saying: said)
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.noMoment)
            #expect(stage.host.moments == 0)
        }

        @Test(arguments: [
            Frame.hits([]), Frame.hits([(1, 1)]), Frame.hits([(.max, 1)]), Frame.hits([(0, 0)]),
            Frame.hits([(0, 1 << 63)]), Frame.hits([(0, 5), (0, 4)]),
        ]) func hitsThatCannotBeAreRefused(said: [UInt8]) throws {
            let stage = try PeerStage(PEER_SAID, traces: true, saying: said + Frame.result)
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.noCount)
        }

        /// A path of one step is followed.
        @Test(arguments: [
            Frame.places(count: 1, step: 1), Frame.places(count: 1, step: -1),
            Frame.places(count: 1, step: 2, table: 0), Frame.places(count: 2, step: 0),
            Frame.places(count: .max, step: 0), Frame.result,
        ]) func placesThatCannotBeAreRefused(reply: [UInt8]) throws {
            let said = Frame.moment() + reply
            let stage = try PeerStage(PEER_SAID, fair: 5, traces: true, saying: said)
            lb_trace_follow(stage.opened, stage.table, 1)
            var count = -1
            stage.host.onMoment = { _, moment in
                var places = [lb_place](repeating: lb_place(), count: 4)
                count = lb_moment_places(moment, 0, LB_REGISTERS, 0, &places, 4)
            }
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.wrongReply)
            #expect(count == 0)
        }

        /// A call has no more variables than a function can have.
        @Test func variablesWithoutEndAreNotAskedFor() throws {
            let said = Frame.moment() + (0..<400).flatMap { _ in Frame.variable }
            let stage = try PeerStage(PEER_SAID, traces: true, saying: said)
            var count: Int32 = 0
            stage.host.onMoment = { _, moment in
                var variable = lb_variable()
                while lb_moment_variable(moment, 0, LB_LOCAL, count + 1, &variable) { count += 1 }
            }
            _ = stage.call()
            #expect(count == 255)
        }

        // MARK: Memory

        /// Each level keeps the message of its call, which a process can make as large as it likes.
        @Test func nestedCallsTogetherAreNoLargerThanOneMessage() throws {
            let stage = try PeerStage(
                PEER_WHOLE, .call,
                limits: {
                    $0.depth_limit = 1000
                    $0.call_limit = 50
                }, change: { $0.chunk = 1 << 20 })
            stage.nestCalls()
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.tooOften)
            #expect(stage.host.deepest <= 5)
        }

        // MARK: Host functions that take long

        @Test func aSlowHostFunctionGivesAProcessNoTime() throws {
            let stage = try PeerStage(PEER_WHOLE, .call) {
                $0.time_limit = 50_000_000
                $0.grace = 50_000_000
            }
            stage.host.onCall = { _ in dawdle(.milliseconds(101)) }
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.late)
            #expect(stage.host.calls <= 1)
        }

        @Test func aSlowConfirmationGivesAProcessNoTime() throws {
            let stage = try PeerStage(PEER_WHOLE, .confirm) {
                $0.time_limit = 50_000_000
                $0.grace = 50_000_000
            }
            stage.host.onConfirm = { _ in dawdle(.milliseconds(101)) }
            #expect(stage.call() == LB_GONE)
            #expect(stage.host.confirmations <= 1)
        }

        @Test func aSlowPrintGivesAProcessNoTime() throws {
            let stage = try PeerStage(PEER_FLOOD, .print) {
                $0.time_limit = 50_000_000
                $0.grace = 50_000_000
            }
            stage.host.onPrint = { _ in dawdle(.milliseconds(101)) }
            #expect(stage.call() == LB_GONE)
            #expect(stage.reason == Self.late)
            #expect(stage.host.prints <= 1)
        }

        /// The time of nested requests counts, that of the host function around them does too.
        @Test func aSlowHostFunctionThatCallsBackGivesAProcessNoTime() throws {
            let stage = try PeerStage(PEER_WHOLE, .call) {
                $0.time_limit = 50_000_000
                $0.grace = 50_000_000
            }
            stage.host.onCall = { [unowned stage] _ in
                dawdle(.milliseconds(51))
                _ = stage.call()
                dawdle(.milliseconds(51))
            }
            #expect(stage.call() == LB_GONE)
            #expect(stage.host.calls <= 2)
        }

        // MARK: All together

        @Test func anyMixtureIsSurvived() throws {
            var numbers = SeededNumbers.printed()
            for _ in 0..<300 {
                let host = (0..<120).map { _ in UInt8.random(in: 0...255, using: &numbers) }
                let process = (0..<80).map { _ in
                    Int.random(in: 0..<3, using: &numbers) == 0
                        ? UInt8.random(in: 0...255, using: &numbers)
                        : UInt8.random(in: 0...150, using: &numbers)
                }
                let played = peer_play(host, host.count, process, process.count)
                try #require(played)
            }
        }

        /// Replies, calls, confirmations and prints with some wrong bytes, to each request.
        @Test(arguments: PeerMessage.allCases, 0..<60)
        func wrongBytesAreHarmless(message: PeerMessage, seed: Int) throws {
            for request in Requests.all {
                let stage = try PeerStage(
                    PEER_WRONG, message,
                    limits: {
                        $0.call_limit = 20
                        $0.print_limit = 1000
                        $0.time_limit = 5_000_000_000
                    }, change: { $0.seed = UInt64(seed) })
                let status = try Requests.make(request.name, of: stage)
                #expect(status != LB_OK || message == .reply || request.calls)
            }
        }
    }

    /// Messages of a process, as bytes.
    private enum Frame {
        static let header = [UInt8](repeating: 0, count: 56)
        static let integer: [UInt8] = [3, 0, 1, 0, 0, 0, 0, 0, 0, 0]

        static func frame(_ kind: UInt8, _ content: [UInt8]) -> [UInt8] {
            withUnsafeBytes(of: UInt32(content.count + 1), Array.init) + [kind] + content
        }

        /// The reply to a call that wants a value.
        static let result = frame(1, header + integer)
        static let text = frame(1, header + [5, 0, 1, 4, 0, 0, 0] + Array("text".utf8))
        static let fields = frame(1, header + [1, 1, 0, 0, 0] + integer + integer)
        static let confirmation = frame(3, [1, 0, 0, 0, 0, 0, 0, 0])
        /// A call of the first host function, without arguments.
        static let call = frame(2, [3, 0, 0, 0] + [UInt8](repeating: 0, count: 13))

        private static func bytes(_ numbers: Int32...) -> [UInt8] {
            numbers.flatMap { withUnsafeBytes(of: $0, Array.init) }
        }

        static func moment(
            traced: Int32 = 0, isReturn: UInt8 = 0, depth: Int32 = 3, inThread: Int32 = 2,
            line: Int32 = 7
        ) -> [UInt8] {
            frame(
                6,
                bytes(traced) + [isReturn, 0] + [UInt8](repeating: 1, count: 8)
                    + bytes(depth, inThread) + bytes(1) + Array("c".utf8) + bytes(0, line, 0, 0))
        }

        static func hits(_ hits: [(UInt32, UInt64)]) -> [UInt8] {
            frame(
                5,
                hits.flatMap {
                    withUnsafeBytes(of: $0.0, Array.init) + withUnsafeBytes(of: $0.1, Array.init)
                })
        }

        /// The reply to a request for a variable: `v`, an integer.
        static let variable = frame(1, header + bytes(1) + Array("v".utf8) + [1] + integer)

        /// The reply to a request for places, with one of them.
        static func places(count: UInt32, step: Int32, table: UInt8 = 16) -> [UInt8] {
            frame(
                1,
                header + withUnsafeBytes(of: count, Array.init) + [table]
                    + [UInt8](repeating: 0, count: 23) + bytes(step, 1) + [0])
        }
    }

    /// Every request that a host can make outside of host functions.
    private struct Requests: Sendable {
        typealias Request = @Sendable (OpaquePointer, PeerStage) -> lb_status

        let name: String
        var calls = false
        let make: Request

        static func make(_ name: String, of stage: PeerStage) throws -> lb_status {
            let request = try #require(all.first { $0.name == name })
            return request.make(try stage.state, stage)
        }

        private static func reference(
            _ name: String,
            _ ask: @escaping @Sendable (OpaquePointer, PeerStage, inout Int32) -> lb_status
        ) -> Requests {
            Requests(name: name) { state, stage in
                var made: Int32 = 0
                let status = ask(state, stage, &made)
                if made != 0 { lb_release(state, made) }
                return status
            }
        }

        private static func value(
            _ name: String,
            _ ask: @escaping @Sendable (OpaquePointer, PeerStage, inout lb_value) -> lb_status
        ) -> Requests {
            Requests(name: name) { state, stage in
                var value = lb_value()
                return ask(state, stage, &value)
            }
        }

        private static func argument(
            _ name: String,
            _ ask: @escaping @Sendable (OpaquePointer, PeerStage, inout lb_argument) -> lb_status
        ) -> Requests {
            Requests(name: name) { state, stage in
                var one = lb_argument()
                one.kind = LB_ARGUMENT_INTEGER
                one.integer = 1
                return ask(state, stage, &one)
            }
        }

        static let all: [Requests] = [
            Requests(name: "call", calls: true) { _, stage in stage.call() },
            Requests(name: "call that changes", calls: true) { state, stage in
                var (result, changed, table) = (lb_value(), lb_value(), lb_argument())
                table.kind = LB_ARGUMENT_REFERENCE
                table.reference = stage.table
                return lb_call_changing(
                    state, stage.function, &table, 1, Int32(LB_WANT_VALUE), nil, 0, &result,
                    &changed)
            },
            reference("load") { state, _, made in
                "return 1".withCString { lb_load(state, $0, 8, "=c", &made) }
            },
            reference("record") { state, _, made in lb_make_record(state, &made) },
            reference("function") { state, _, made in lb_make_function(state, 9, true, &made) },
            reference("copy") { state, stage, made in lb_retain(state, stage.table, &made) },
            reference("view") { state, stage, made in
                lb_make_view(state, stage.table, "view", 4, nil, 0, &made)
            },
            reference("object type") { state, stage, made in
                lb_make_object_type(state, "kind", 4, stage.table, &made)
            },
            reference("object") { state, stage, made in
                lb_make_object(state, stage.table, 7, &made)
            },
            value("encoding") { state, stage, value in lb_encode(state, stage.table, &value) },
            value("field") { state, stage, value in
                lb_get_field(state, stage.table, "a", 1, &value)
            },
            argument("reference") { state, _, one in
                var made: Int32 = 0
                let status = lb_make_reference(state, &one, &made)
                lb_release(state, made)
                return status
            },
            argument("assignment") { state, stage, one in
                lb_set_field(state, stage.table, "a", 1, &one)
            },
            argument("global") { state, _, one in lb_set_field(state, 0, "a", 1, &one) },
            argument("object field") { state, stage, one in
                lb_object_set(state, stage.table, "a", 1, &one, 0)
            },
            Requests(name: "location") { state, stage in
                var location = lb_location()
                return lb_function_location(state, stage.function, &location)
            },
            Requests(name: "fields") { state, stage in
                var (key, value) = (lb_value(), lb_value())
                var status = lb_fields_begin(state, stage.table)
                while status == LB_OK { status = lb_fields_next(state, &key, &value) }
                lb_fields_end(state)
                return status == LB_ABSENT ? LB_OK : status
            },
            Requests(name: "collection") { state, _ in
                lb_collect_garbage(state)
                return String(cString: lb_gone_reason(state)).isEmpty ? LB_OK : LB_GONE
            },
        ]
    }
#endif
