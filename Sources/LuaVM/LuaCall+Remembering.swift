import CLuaBridge

extension LuaCall {
    /// Remembers this call and its reply.
    ///
    /// When the object that is the first argument gets the call once more, at the same place in the order of its
    /// calls, with the same second argument and plain values equal to these as the third and fourth, then
    /// ``LuaVM/onRecall`` is asked with the token, and if it agrees the script gets this reply without the function
    /// being run.
    ///
    /// - Parameters:
    ///   - token: A number that tells what is replied from what else was, in later calls too.
    ///   - reply: The reply; `nil` if only the place of the call in the script is to be known.
    package func remember(_ token: Int, _ reply: LuaReference?) {
        // Without the memory for it the next call runs the function; a limit that fired ends the call anyway.
        _ = lb_remember(call, Int64(token), reply?.slot ?? 0)
        withExtendedLifetime(reply) {}
    }

    /// Where the object got the call before that was remembered under a token.
    package func rememberedLocation(_ token: Int) -> LuaLocation? {
        var location = lb_location()
        guard lb_remembered_location(call, Int64(token), &location) else { return nil }
        return LuaLocation(location)
    }
}

extension LuaVM {
    /// Says that the calls which an object gets from now on are counted from the first again.
    package func recall(_ object: LuaSlot) { lb_object_recall(bridge, object.number) }
}
