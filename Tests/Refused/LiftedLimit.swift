import LuaVM

// The limits of a VM are those that it was made with.
func lift(_ vm: LuaVM) {
    vm.options.timeLimit = nil  // error: 'options' is a 'let' constant
}
