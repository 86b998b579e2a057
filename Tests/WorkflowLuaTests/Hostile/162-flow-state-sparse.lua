-- expect cpu-limit: apply leaves tables with room for much and nothing in them in the state
return {
  name = "sparse",
  state = { rows = {} },
  apply = {
    go = function(state)
      local empty = {}
      for i = 1, 100000 do empty[-i] = i end
      for i = 1, 100000 do empty[-i] = nil end
      local rows = {}
      for i = 1, 100000 do rows[i] = empty end
      state.rows = rows
    end,
  },
  render = function(state) return #state.rows end,
}
