struct KnownDefinitions {
    private(set) var byAddress: [UnsafeRawPointer: WorkflowDefinition] = [:]
    /// The number of definitions at which unused ones are removed; each render may make new ones.
    private var room = 16

    subscript(address: UnsafeRawPointer) -> WorkflowDefinition? { byAddress[address] }

    /// Keeps a definition and its table, so that no other table gets the address.
    mutating func keep(_ definition: WorkflowDefinition, at address: UnsafeRawPointer) {
        if byAddress.count >= room {
            forgetUnused()
            room = max(16, 2 * byAddress.count)
        }
        byAddress[address] = definition
    }

    /// Removes the definitions that nothing else refers to. They are read again on demand.
    mutating func forgetUnused() {
        for address in Array(byAddress.keys) where isKnownUniquelyReferenced(&byAddress[address]) {
            byAddress[address] = nil
        }
    }
}
