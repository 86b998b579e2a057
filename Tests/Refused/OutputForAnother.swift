import Workflow

// A child's output becomes an action of the parent that renders the child.
func render<Child: Workflow, Parent: Workflow, Other: WorkflowAction>(
    _ child: Child, in context: RenderContext<Parent>, as action: Other
) {
    _ = child.rendered(in: context) { _ in action }  // error: requires the types 'Parent' and
}
