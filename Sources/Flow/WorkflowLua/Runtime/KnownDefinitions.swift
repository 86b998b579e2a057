/// The definitions that were read, by the addresses of their tables.
struct KnownDefinitions {
    private var definitions: [UnsafeRawPointer: WorkflowDefinition] = [:]
    /// The number of definitions at which those that nobody uses are forgotten: some are made anew in each render.
    private var room = 16

    /// The definition in the table at this address, if it has been read.
    subscript(address: UnsafeRawPointer) -> WorkflowDefinition? { definitions[address] }

    /// All of them, in no order.
    var all: some Collection<WorkflowDefinition> { definitions.values }

    /// All of them by the addresses of their tables.
    var byAddress: [UnsafeRawPointer: WorkflowDefinition] { definitions }

    /// Keeps a definition, and with it the table, so that its address stays its own.
    mutating func keep(_ definition: WorkflowDefinition, at address: UnsafeRawPointer) {
        if definitions.count >= room {
            forgetUnused()
            room = max(16, 2 * definitions.count)
        }
        definitions[address] = definition
    }

    /// Forgets the definitions that nothing else refers to; they are read again when they are asked for.
    mutating func forgetUnused() {
        for address in Array(definitions.keys)
        where isKnownUniquelyReferenced(&definitions[address]) {
            definitions[address] = nil
        }
    }
}
