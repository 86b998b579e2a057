-- A wizard: one step after the other, with a way back. The answers belong to the wizard, so that
-- they are still there when a step is shown again. The output is { answers by step }.
local Question = { name = "question" }

Question.apply = {
    answer = function(_, action)
        assert(type(action.text) == "string" and action.text ~= "", "answer needs a text")
        return action.text
    end,
}

function Question.render(_, context)
    return {
        question = context.props.question,
        answer = context.props.answer,
        send = context:sink("answer"),
    }
end

local steps = {
    { name = "who", question = "What is your name?" },
    { name = "where", question = "Where do you live?" },
}

local Wizard = { state = { step = 1, answers = {} } }

Wizard.apply = {
    answered = function(state, action)
        state.answers[steps[state.step].name] = action.output
        if state.step == #steps then return state.answers end
        state.step = state.step + 1
    end,
    back = function(state)
        assert(state.step > 1, "this is the first step")
        state.step = state.step - 1
    end,
}

function Wizard.render(state, context)
    local step = steps[state.step]
    return {
        step = state.step .. " of " .. #steps,
        screen = context:render(
            Question, { question = step.question, answer = state.answers[step.name] },
            { key = step.name, on_output = "answered" }),
        back = state.step > 1 and context:sink("back") or nil,
    }
end

return Wizard
