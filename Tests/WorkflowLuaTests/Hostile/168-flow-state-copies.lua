-- expect convert-error or memory-limit: one large table at thousands of places of a large list
return {
  name = "flow",
  state = function()
    local big = {}
    for i = 1, 5000 do big[i] = 0 end
    return { big = big }
  end,
  apply = {
    go = function(state)
      local t = { ("x"):rep(1000000) }
      local big = state.big
      for i = 1, 5000 do big[i] = t end
    end,
  },
  render = function(state) return #state.big end,
}
