import LuaVM

// Only a VM makes references, each to a value that it keeps.
let make = LuaReference.init  // error: initializer is inaccessible
