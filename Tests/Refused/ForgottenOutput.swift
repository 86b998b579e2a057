import Workflow

// A parent says what it does with the outputs of a child.
func render<Child: Workflow, Parent: Workflow>(_ child: Child, in context: RenderContext<Parent>)
where Child.Output == String {
    _ = child.rendered(in: context)  // error: requires the types 'String' and 'Never'
}
