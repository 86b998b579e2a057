return {
    render = function(_, context)
        return "Hello, " .. (context.props.name or "world")
    end,
}
