import FlowService

// A token is random, and nobody chooses it.
func choose(_ token: inout ServiceToken) {
    token.text = "wfs_1234"  // error: 'text' is a 'let' constant
}
