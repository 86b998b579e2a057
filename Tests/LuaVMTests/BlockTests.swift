import LuaVM
import PlainValue
import Testing

/// Lua's memory comes in blocks of many sizes, which are reused when they are free.
struct BlockTests {
    @Test func blocksOfAllSizesKeepTheirContents() throws {
        let vm = try LuaVM()
        let chunk = try vm.load(
            """
            local kept = {}
            for round = 1, 6 do
                for i = 1, 1500 do
                    if (i + round) % 3 ~= 0 then
                        local list = {}
                        for k = 1, i % 40 do list[k] = i + k end
                        local name = string.char(97 + i % 26)
                        kept[i] = { text = name:rep(i), list = list, [name] = round }
                    elseif round % 2 == 0 then
                        kept[i] = nil
                    end
                end
                for i = 1, 1500 do
                    local one = kept[i]
                    if one then
                        local name = string.char(97 + i % 26)
                        if one.text ~= name:rep(i) then return "text " .. i end
                        if #one.list ~= i % 40 then return "length " .. i end
                        for k, element in ipairs(one.list) do
                            if element ~= i + k then return "element " .. i end
                        end
                        if not one[name] then return "name " .. i end
                    end
                end
            end
            return "fine"
            """, chunkName: "t.lua")
        #expect(try vm.call(chunk, returning: .value).value == "fine")
    }

    @Test func whatIsNotUsedAnyMoreIsGivenBack() throws {
        let vm = try LuaVM()
        let chunk = try vm.load(
            """
            local size = ...
            local t = {}
            for i = 1, 20000 // size do t[i] = ("x"):rep(size) .. i end
            return #t
            """, chunkName: "t.lua")
        // The table of short strings shrinks by half in each collection.
        func settle() { for _ in 0..<10 { vm.collectGarbage() } }
        settle()
        let before = vm.memoryInUse
        for size in [1, 20, 60, 130, 250, 500, 1000] {
            _ = try vm.call(chunk, .value(.int(size)), returning: .value)
            settle()
            #expect(vm.memoryInUse <= before + 8192, "after blocks of \(size) bytes and more")
        }
    }
}
