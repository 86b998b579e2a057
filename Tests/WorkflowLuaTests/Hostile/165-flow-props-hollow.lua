-- expect cpu-limit: a child's props, which are compared with the last ones, have become large and empty tables
local hollow = {}
local props = { list = {} }
for i = 1, 50000 do props.list[i] = hollow end
local Child = { name = "child", render = function() return {} end }
return {
  name = "flow",
  state = { n = 0 },
  apply = {
    go = function(state)
      state.n = state.n + 1
      for i = 1, 100000 do hollow[-i] = true end
      for i = 1, 100000 do hollow[-i] = nil end
    end,
  },
  render = function(state, context)
    context:render(Child, props)
    return { n = state.n }
  end,
}
