" Neovim with nvim-dap: breakpoints by :DapToggleBreakpoint, start by :DapContinue. Steps back are
" require("dap").step_back() and require("dap").reverse_continue().
lua << EOF
local dap = require "dap"

dap.adapters.workflow = { type = "executable", command = "workflow-run", args = { "debug" } }

dap.configurations.lua = {
    { type = "workflow", request = "launch", name = "Debug this flow or test", program = "${file}" },
    {
        type = "workflow", request = "launch", name = "Debug a recording",
        program = function() return vim.fn.input("Recording: ", "", "file") end,
    },
    {
        type = "workflow", request = "attach", name = "Attach to a session",
        socket = function() return vim.fn.input("Socket: ", "", "file") end,
    },
}
EOF
