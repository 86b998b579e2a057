-- Jobs that run one after the other, each in a worker with a key of its own.
local Queue = { state = { jobs = {}, log = {} } }

Queue.apply = {
    add = function(state, action)
        state.jobs[#state.jobs + 1] = { id = #state.jobs + 1, seconds = action.seconds or 1 }
    end,
    done = function(state, action)
        for index, job in ipairs(state.jobs) do
            if job.id == action.id then
                table.remove(state.jobs, index)
                break
            end
        end
        state.log[#state.log + 1] = "job " .. action.id
    end,
}

function Queue.render(state, context)
    for _, job in ipairs(state.jobs) do
        context:run("clock.after", { seconds = job.seconds }, {
            key = job.id,
            on_output = function() return { type = "done", id = job.id } end,
        })
    end
    return { waiting = #state.jobs, log = state.log, add = context:sink("add") }
end

return Queue
