local Fetch = require "fetch"

describe("fetch", function()
    local flow

    local function answer(status, body)
        flow:worker("http.get"):output {
            status = status, url = "https://example.com", headers = workflow.record(), body = body,
        }
    end

    before_each(function()
        flow = workflow.test(Fetch, { url = "https://example.com", attempts = 2 })
    end)

    it("shows what the server answers", function()
        flow:worker("http.get"):expect_input { url = "https://example.com" }
        answer(200, "hello")
        flow:expect_rendering { screen = "done", body = "hello" }
        flow:expect_no_worker()
    end)

    it("waits a second before it tries again", function()
        flow:worker("http.get"):fail { code = "unreachable", message = "nobody listens" }
        flow:expect_rendering { screen = "waiting", message = "nobody listens" }
        flow:expect_no_worker "http.get"
        flow:advance(1)
        answer(200, "hello")
        flow:expect_rendering { screen = "done", message = workflow.null }
    end)

    it("gives up, and starts over", function()
        answer(503)
        flow:advance(1)
        answer(503)
        flow:expect_rendering { screen = "failed", message = "the server answered 503" }
        flow:send(flow.rendering.try_again)
        answer(200, "hello")
        flow:expect_rendering { screen = "done" }
    end)
end)
