import LuaVM
import Testing

@Suite struct ReleaseTests {
    @Test func releaseIsThatOfTheLoadedLibrary() {
        #expect(LuaVM.release.wholeMatch(of: /5\.4\.\d+/) != nil, "\(LuaVM.release)")
    }

    @Test(arguments: [
        ("$LuaVersion: Lua 5.4.4  Copyright (C) 1994-2022 Lua.org $$LuaAuthors: …", "5.4.4"),
        ("$LuaVersion: Lua 5.4.10  Copyright (C) 2030 $", "5.4.10"),
        ("", "5.4"), ("$LuaVersion:", "5.4"), ("$LuaVersion: Lua", "5.4"),
        ("$LuaVersion: Lua 5.4.  Copyright", "5.4"), ("$LuaVersion: Lua 5.4.4x  Copyright", "5.4"),
        ("$LuaVersion: Lua 5.5.0  Copyright", "5.4"), ("$Version: Lua 5.4.4  Copyright", "5.4"),
    ]) func releaseIsReadInTheNameOfALibrary(_ identity: String, _ release: String) {
        #expect(LuaVM.release(in: identity) == release)
    }

    @Test func bugsAreKnownOfReleasesThatHaveThem() {
        let harmless = ["5.4.3", "5.4.4", "5.4.6", "5.4.7", "5.4.8", "5.4"]
        for release in harmless { #expect(LuaVM.openBugs(of: release) == []) }
        #expect(LuaVM.openBugs(of: "5.4.0").count == 2)
        #expect(LuaVM.openBugs(of: "5.4.1") == LuaVM.openBugs(of: "5.4.2"))
        #expect(
            LuaVM.openBugs(of: "5.4.5") == ["closing a coroutine follows a pointer that is none"])
    }
}
