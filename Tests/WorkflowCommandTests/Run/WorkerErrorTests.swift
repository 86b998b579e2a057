import Foundation
import TestSupport
import Testing

@Suite struct WorkerErrorTests {
    @Test func failureShowsWhereTheWorkerWasDeclared() async throws {
        let scene = try Folder([
            "reader.lua": """
            local Flow = { name = "reader", state = {} }
            function Flow.render(state, context)
                context:run("file.read", { path = "nope.txt" }, { on_output = print })
                return {}
            end
            return Flow
            """
        ])
        let outcome = try await scene.run("reader.lua", "--allow", "file.read=.")
        #expect(
            outcome.stderr == """
                error: worker 'file.read' failed: there is no 'nope.txt'
                  ┌─ reader.lua:3
                  │
                2 │ function Flow.render(state, context)
                3 │     context:run("file.read", { path = "nope.txt" }, { on_output = print })
                4 │     return {}
                  │
                help: handle it: { on_error = "…" }, the type of an action

                """)
        #expect(outcome.status == 65)
    }

    @Test func sameFailureIsToldInFullOnce() async throws {
        let scene = try Folder([
            "bells.lua": """
            local Flow = { name = "bells", state = {} }
            Flow.apply = { ring = function() error("no bell") end }
            function Flow.render(state, context)
                for n = 1, 3 do
                    context:run("clock.after", { seconds = 0 }, { key = n, on_output = "ring" })
                end
                return {}
            end
            return Flow
            """
        ])
        let outcome = try await scene.run("bells.lua")
        #expect(
            outcome.stderr == """
                error: no bell
                  ┌─ bells.lua:2
                  │
                1 │ local Flow = { name = "bells", state = {} }
                2 │ Flow.apply = { ring = function() error("no bell") end }
                3 │ function Flow.render(state, context)
                  │
                  = in apply.ring of bells
                  = the action was rolled back; the state is as before
                  = what clock.after gave is kept: a reload gives it again, and so does a retry
                error: no bell, again
                error: no bell, again

                """)
        #expect(outcome.status == 65)
    }
}
