import LuaVM

// The limits of a VM are those that it was made with.
func lift(_ vm: LuaVM) {
    vm.configuration.timeLimit = nil  // error: 'configuration' is a 'let' constant
}
