local Watch = require "build-watch"

local props = { path = "src", program = "make", arguments = { "all" } }

describe("build-watch", function()
    it("runs once at the beginning", function()
        local flow = workflow.test(Watch, props)
        flow:worker("file.watch"):expect_input { path = "src" }
        flow:worker("process.run"):expect_input { program = "make", arguments = { "all" } }
        flow:expect_rendering { status = "running", runs = 0 }
        flow:worker("process.run"):output { exit_code = 0, stdout = "made\n", stderr = "" }
        flow:expect_rendering { status = "passed", runs = 1, last = { text = "made\n" } }
        flow:expect_no_worker "process.run"
    end)

    it("runs again when a file has changed", function()
        local flow = workflow.test(Watch, props)
        flow:worker("process.run"):output { exit_code = 0, stdout = "", stderr = "" }
        flow:worker("file.watch"):output { path = "src/a.c", event = "modified" }
        flow:expect_rendering { status = "running", changed = "src/a.c" }
        flow:worker("process.run"):output { exit_code = 2, stdout = "", stderr = "a.c: no" }
        local last = { ended_by = 2, text = "a.c: no" }
        flow:expect_rendering { status = "failed", runs = 2, last = last }
    end)

    it("runs once more when a file changes meanwhile", function()
        local flow = workflow.test(Watch, props)
        local first = flow:worker("process.run")
        flow:worker("file.watch"):output { path = "src/a.c", event = "modified" }
        flow:worker("file.watch"):output { path = "src/b.c", event = "modified" }
        first:output { exit_code = 0, stdout = "", stderr = "" }
        flow:expect_rendering { status = "running", runs = 1 }
        flow:worker("process.run"):output { exit_code = 0, stdout = "", stderr = "" }
        flow:expect_rendering { status = "passed", runs = 2 }
    end)

    it("shows why the program cannot be run", function()
        local flow = workflow.test(Watch, props)
        flow:worker("process.run")
            :fail { code = "not_found", message = "there is no program 'make'" }
        flow:worker("file.watch")
        flow:expect_rendering {
            status = "failed",
            last = { ended_by = "not_found", text = "there is no program 'make'" },
        }
    end)

    it("ends when what it watches has gone", function()
        local flow = workflow.test(Watch, props)
        flow:worker("process.run"):output { exit_code = 0, stdout = "", stderr = "" }
        flow:worker("file.watch"):finish()
        flow:expect_output { runs = 1, reason = "it is gone" }
    end)
end)
