import Workflow
import WorkflowLua

struct Button { var tap: () -> Void }

// A script gets the rendering of a native workflow as a plain value.
func offer<Child: Workflow>(_ make: @escaping () -> Child, to natives: inout NativeWorkflows)
where Child.Rendering == Button, Child.Output == Never {
    natives.register("button", props: Int.self) { _ in make() }  // error: requires that 'Button'
}
