local Workers = require "workers"

describe("workers of the pages", function()
    it("take what they are shown with", function()
        for show, worker in pairs {
            clock = "clock.every", file = "file.watch", http = "http.get", process = "process.run",
            sqlite = "sqlite.query",
        } do
            local flow = workflow.test(Workers, { show = show })
            flow:loosely()
            flow:worker(worker):expect_input(workflow.any)
        end
    end)
end)
