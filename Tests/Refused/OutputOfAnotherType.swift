import Workflow

// A node emits nothing but outputs of its workflow.
func output<Root: Workflow>(_ text: String) -> AnyWorkflowAction<Root> where Root.Output == Int {
    AnyWorkflowAction(sendingOutput: text)  // error: cannot convert value of type 'String'
}
