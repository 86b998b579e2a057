import Foundation
import TestSupport

/// A folder with a flow and its tests, one of which fails.
func testScene(_ files: [String: String] = [:]) throws -> Folder {
    let flow = """
        local Flow = { state = { n = 0 } }
        Flow.apply = { add = function(state, action) state.n = state.n + action.by end }
        function Flow.render(state) return { n = state.n } end
        return Flow

        """
    return try Folder(["flow.lua": flow].merging(files) { $1 })
}

let passingTests = """
    local Flow = require "flow"
    describe("flow", function()
        it("starts at zero", function()
            workflow.test(Flow):expect_rendering { n = 0 }
        end)
        describe("with <more>", function()
            pending("is & stays")
        end)
    end)

    """

let failingTests = """
    local Flow = require "flow"
    it("adds #1", function()
        print("adding")
        local flow = workflow.test(Flow)
        flow:send { type = "add", by = 2 }
        flow:expect_rendering { n = 3 }
    end)

    """

extension Outcome {
    /// The output with `T` for times and `R` for the name of the temporary folder.
    var steadyOutput: String {
        stdout
            .replacing(/(<1|\d+) ms|\d+\.\d+ s/, with: "T")
            .replacing(/"seconds":[0-9.e-]+/, with: "\"seconds\":T")
            .replacing(/time="[0-9.e-]+"/, with: "time=\"T\"")
            .replacing(/\/[^ "]*workflow-run-test-\w+/, with: "R")
    }
}
