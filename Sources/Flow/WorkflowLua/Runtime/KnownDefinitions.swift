/// The definitions that were read, by the addresses of their tables.
struct KnownDefinitions {
    private var definitions: [UnsafeRawPointer: WorkflowDefinition] = [:]
    /// The number of definitions at which unused ones are removed; each render may make new ones.
    private var room = 16

    /// The definition in the table at an address, if it has been read.
    subscript(address: UnsafeRawPointer) -> WorkflowDefinition? { definitions[address] }

    /// All definitions, in no order.
    var all: some Collection<WorkflowDefinition> { definitions.values }

    /// All definitions, by the addresses of their tables.
    var byAddress: [UnsafeRawPointer: WorkflowDefinition] { definitions }

    /// Keeps a definition and its table, so that no other table gets the address.
    mutating func keep(_ definition: WorkflowDefinition, at address: UnsafeRawPointer) {
        if definitions.count >= room {
            forgetUnused()
            room = max(16, 2 * definitions.count)
        }
        definitions[address] = definition
    }

    /// Removes the definitions that nothing else refers to. They are read again on demand.
    mutating func forgetUnused() {
        for address in Array(definitions.keys)
        where isKnownUniquelyReferenced(&definitions[address]) {
            definitions[address] = nil
        }
    }
}
