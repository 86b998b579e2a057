import WorkflowLua

// Causes of errors of those who ask where a value comes from.
extension FlowError.Reason {
    static let noValue = Self(.misuse, "there is no %0 in the rendering")
        .help("take the path of a value that is shown, such as rows[1].text")
    static let otherValue = Self(
        .misuse,
        "played again, step %0 does not give what is shown at %1, so its origin cannot be told"
    ).help("keep in the state what a flow shows; variables of its files are not played again")
    static let noScriptedNode = Self(.unknownNode, "there is no node '%0' in Lua in the tree")
        .help("take the path of a node of the tree, such as todo/item:2")
    static let noScript = Self(.misuse, "the rendering is not made by a script")
    static let noSubject = Self(.misuse, "there is no %0")
        .help("take a node of the tree and a path of what it has, such as state.items[1] of todo")
    static let noVariable = Self(.misuse, "'%0' has no value where step %1 is played again")
        .help("take a variable of the frame, or a path of one")
    static let noAction = Self(.misuse, "there is no action at the beginning")
        .help("take a step that an action made")
    static let noField = Self(.misuse, "no action of step %0 has %1%2").help("the actions are %3")
}
