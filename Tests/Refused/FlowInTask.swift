import WorkflowLua

// A flow belongs to the isolation that loaded it.
func later(_ flow: LuaFlow) {
    Task.detached { print(flow.workflow()) }  // error: risks causing data races
}
