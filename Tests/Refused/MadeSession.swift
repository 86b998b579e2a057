import WorkflowStore

// A session of a store is created, opened or resumed, and no other host has it then.
let make = StoredSession.init  // error: initializer is inaccessible
