import WorkflowKit

// The texts that a session hides are known to this package alone.
func secrets(of session: FlowSession) async {
    print(await session.secrets)  // error: is inaccessible due to 'package'
}
