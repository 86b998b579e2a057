import CLuaProbe
import LibC
import Testing

/// The promises of C functions, which debug builds check.
struct PromiseTests {
    @Test func functionsThatKeepWhatTheyPromiseByStackRun() {
        probe_promise(PROMISES_KEPT)
    }

    #if DEBUG
        @Test func aFunctionThatLeavesMoreOnTheStackThanItPromisesEndsTheProcess() async {
            let result = await #expect(
                processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
            ) { probe_promise(PROMISE_OF_STACK) }
            #expect(
                result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
                    == "push_two left 2 values on the stack in place of 1 or 1\n")
        }

        @Test func aFunctionThatMayRaiseEndsTheProcessIfItsCallerPromisesNotToRaise() async {
            let result = await #expect(
                processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
            ) { probe_promise(PROMISE_OF_ERRORS) }
            #expect(
                result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
                    == "push_table may raise an error, and its caller has promised not to\n")
        }
    #endif
}
