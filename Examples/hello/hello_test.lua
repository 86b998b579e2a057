local Hello = require "hello"

it("greets the world", function()
    local flow = workflow.test(Hello)
    flow:expect_rendering { greeting = "Hello, world!" }
end)

it("greets whom it is told to", function()
    local flow = workflow.test(Hello, { name = "you" })
    flow:expect_rendering { greeting = "Hello, you!" }
end)

it("says goodbye", function()
    local flow = workflow.test(Hello, { name = "you" })
    flow:send "leave"
    -- An output that a test does not expect fails it.
    flow:expect_output "Goodbye, you!"
end)
