-- Makes a sequence of calls of Lua's functions from bytes, and tells what came of each: one line a call. Stock Lua and
-- the sandbox run it, and must tell the same. Arguments are constants and results of earlier calls.
--
-- `bytes` decide what is called. `skipped` is empty in stock Lua, which finds the calls that differ on purpose, and skips
-- them: their lines are "?". The sandbox gets the lines of stock Lua, and skips the same.
local bytes, told = ...
local position, count = 0, 0
local function draw(n)
    position = position + 1
    local drawn = bytes:byte(position)
    return drawn and drawn % n + 1
end

-- Functions by their names. On purpose not here: print, random numbers, what is not in the sandbox.
local functions, names = {}, {}
local function offer(prefix, library, list)
    for name in list:gmatch("%w+") do
        functions[#functions + 1] = library[name]
        names[library[name]] = prefix .. name
    end
end
offer("", _ENV, [[assert error getmetatable ipairs next next next pairs pairs pcall rawequal rawget rawlen rawset
    select setmetatable tonumber tostring type xpcall]])
offer("string.", string, [[byte char find format gmatch gsub len lower match pack packsize rep reverse sub unpack upper]])
offer("table.", table, "concat insert move pack remove sort unpack")
offer("math.", math, [[abs acos asin atan ceil cos deg exp floor fmod log max min modf rad sin sqrt tan tointeger type
    ult]])
offer("utf8.", utf8, "char codepoint codes len offset")
offer("coroutine.", coroutine, "close create isyieldable resume running status wrap yield")

local nan = -(0 / 0)
local function less(x, y) return x < y end
local function greater(x, y) return x > y end
local function same(...) return ... end
local function fail(x) error(x, 0) end
local function yielder(...)
    local more = coroutine.yield(...)
    pcall(coroutine.yield, more)
    local x <close> = setmetatable({}, { __close = function() end })
    return coroutine.yield("last")
end
local function closer()
    local x <close> = setmetatable({}, { __close = function(_, e) error("closed", 0) end })
    coroutine.yield(1)
end
local makers = {
    function() return {} end,
    function() return { 1, 2, 3 } end,
    function() return { "c", "a", "b" } end,
    function() return { [0] = "zero", "one", "two" } end,
    function() return { 1, 2, x = 3 } end,
    function() return { 1, [true] = 2 } end,
    function() return { 1, [1.5] = 2 } end,
    function() return { 1, [-1] = 2 } end,
    function() return { 1, [{}] = 2 } end,
    function() return { [math.maxinteger] = 1 } end,
    function() return { a = "A", b = "B", l = 1 } end,
    function() return setmetatable({}, { __index = { a = "index" }, __name = "named" }) end,
    function() return setmetatable({ 1 }, { __index = function(t, k) return k end }) end,
    function() return setmetatable({}, { __newindex = function(t, k, v) rawset(t, k, 7) end }) end,
    function() return setmetatable({}, { __tostring = function() return "text" end, __metatable = "own" }) end,
    function() return setmetatable({}, { __pairs = function(t) return less, t, 1 end }) end,
    function() return setmetatable({}, { __lt = function() return true end, __le = function() return 1 end }) end,
    function() return setmetatable({}, { __call = function(self, ...) return "called", ... end }) end,
    function() return setmetatable({}, { __eq = function() return true end, __len = function() return 2 end }) end,
}
local constants = {
    true, false, 0, 1, 2, 3, 5, -1, -2, 64, 255, 256, 0x7FFFFFFF, 1 << 53, math.maxinteger, math.mininteger,
    0.0, -0.0, 1.0, 2.0, 0.5, 1.5, -1.5, 1e15, 1e100, -1e100, 1 / 0, -1 / 0, nan, 2.0 ^ 53,
    "", "a", "abc", "hello world", "10", "0x10", " 5 ", "1e2", "-7", "0x1p4", "z", "1.", "nan", "inf", "%d", "%s",
    "%5.1f", "%q", "%x", "%c", "%-5d|", "%%", "(%w+)", "%a", ".", "", "()", "^a", "l+", "[a-c]", "%1", "%f[%w]", "%b()",
    "(", "é", "\xff", "\0", "a\0b", "\u{10FFFF}\u{7FFFFFFF}", "\x80", "i4", "<i2", ">s2", "z", "!4 i1 i8", "d", "j",
    "c3", "x", "Xi4", "b B h", "n", "k", "v", ",", "#", "\u{65E5}\u{672C}",
    less, greater, same, fail, yielder, closer,
}

local function pick(list) return list[draw(#list) or 1] end
local texts, numbers = {}, {}
for _, constant in ipairs(constants) do
    if type(constant) == "string" then texts[#texts + 1] = constant end
    if type(constant) == "number" then numbers[#numbers + 1] = constant end
end
local handlers = { same, less, fail, tostring, type }
local closures = { less, greater, same, fail, yielder, closer, coroutine.yield, error, type, rawlen, select, tostring }

-- The variable of this type after a place, or nil.
local variables = {}
local function variable(kind)
    local first = draw(8) or 1
    for i = first, first + 7 do
        local found = variables[i % 8 + 1]
        if type(found) == kind then return found end
    end
end

local made = {
    any = function()
        local kind = draw(6)
        if kind == nil then return nil end
        if kind <= 2 then return pick(constants) end
        if kind <= 4 then return variables[draw(8) or 1] end
        if kind == 5 then return pick(makers)() end
        return (draw(4) or 1) > 1 and pick(functions) or nil
    end,
    text = function() return variable("string") or pick(texts) end,
    constant = function() return pick(texts) end,
    number = function() return (draw(3) or 1) == 1 and variable("number") or pick(numbers) end,
    small = function() return (draw(9) or 1) - 4 end,
    table = function() return (draw(2) or 1) == 1 and variable("table") or pick(makers)() end,
    call = function() return pick(closures) end,
    handler = function() return pick(handlers) end,
    thread = function() return variable("thread") or coroutine.create(pick(closures)) end,
    key = function()
        local keys, t = {}, variable("table") or {}
        for k in next, t do if type(k) ~= "table" then keys[#keys + 1] = k end end
        table.sort(keys, function(x, y) return tostring(x) < tostring(y) end)
        return keys[draw(#keys + 1) or 1]
    end,
}

-- The arguments that a function takes, if it does not take any; most calls get such.
local takes = {
    next = "table key", pairs = "table", ipairs = "table", rawget = "table key", rawset = "table any any",
    rawlen = "table", pcall = "call any any", xpcall = "call handler any", select = "small any any any",
    setmetatable = "table table", tonumber = "text small", error = "any small",
    string = "text small small", format = "constant number number", rep = "text small constant",
    find = "text constant small", match = "text constant small", gmatch = "text constant small",
    gsub = "text constant constant small", pack = "constant number text", packsize = "constant",
    unpack = "constant text small", table = "table small small", concat = "table constant small small",
    insert = "table any", move = "table small small small table", sort = "table call",
    ["table.pack"] = "any any any", ["table.unpack"] = "table small small",
    math = "number number", utf8 = "text small small any", char = "number number number",
    coroutine = "thread any any", create = "call", wrap = "call", running = "any", yield = "any any",
}
local function arguments_of(name)
    local takes = takes[name] or takes[name:match("%w+$")] or takes[name:match("^%w+") or ""]
    local a = { n = 0 }
    if name == "variable" and (draw(2) or 1) == 1 then takes = "table key" end
    if takes == nil or (draw(8) or 1) == 1 then
        a.n = (draw(5) or 1) - 1
        for i = 1, a.n do a[i] = made.any() end
        return a
    end
    for kind in takes:gmatch("%a+") do
        if a.n > 0 and (draw(4) or 1) == 1 then break end
        a.n = a.n + 1
        a[a.n] = made[kind]()
    end
    return a
end

-- MARK: What differs on purpose

local function prefix_of(t)
    local n = 0
    while rawget(t, n + 1) ~= nil do n = n + 1 end
    return n
end
-- True if Lua's own order of the keys is the sandbox's: the elements, then at most one other key.
local function is_ordered(t)
    local n, others = 0, 0
    for k in next, t do
        if others == 0 and k == n + 1 and math.type(k) == "integer" then n = k else others = others + 1 end
    end
    return others <= 1
end
local function has_holes(t)
    local n = prefix_of(t)
    for k in next, t do if math.type(k) == "integer" and k > n then return true end end
    return false
end
local function is_sortable(t)
    local kind = math.type(t[1]) or type(t[1])
    for i = 1, prefix_of(t) do
        if (math.type(t[i]) or type(t[i])) ~= kind then return false end
    end
    return kind == "integer" or kind == "string" or kind == "nil"
end
-- The functions that others may call.
local is_handed_on = {}
for _, f in ipairs(closures) do is_handed_on[f] = true end
local has_address = { table = true, ["function"] = true, thread = true, userdata = true }

local function differs(f, a)
    local name, x, y = names[f] or "", a[1], a[2]
    if f == next then
        if type(x) ~= "table" or y == nil then return type(x) == "table" and not is_ordered(x) end
        -- A key that is not there may have been removed. The sandbox continues after it.
        local is_other = has_address[type(y)] or y ~= y
        return not is_ordered(x) or (not is_other and (rawget(x, y) == nil or math.type(y) == "float" and y % 1 == 0))
    end
    for i = 1, a.n do
        local v = a[i]
        -- Their order, their metatables and their addresses
        if names[v] and not is_handed_on[v] and f ~= type and f ~= select then return true end
        if name:find("^table%.") or f == rawlen then
            if type(v) == "table" and (getmetatable(v) ~= nil or has_holes(v)) then return true end
            if name ~= "table.pack" and math.abs(math.tointeger(tonumber(v)) or tonumber(v) or 0) > 1000 then return true end
            if math.tointeger(tonumber(v)) == math.mininteger then return true end
        end
        if v ~= v and (name:find("^string%.") or f == tostring or name:find("^table%.")) then return true end
        if name == "string.format" and has_address[type(v)] then return true end
        if (f == rawset or f == rawget or f == rawequal) and type(v) == "function" then return true end
    end
    if f == xpcall then
        -- Some handlers would be called for their own errors for ever.
        for _, handler in ipairs(handlers) do if y == handler then return false end end
        return true
    end
    if f == pairs or f == table.unpack then return type(x) ~= "table" end
    if f == ipairs then return x == nil end
    if f == getmetatable then return type(x) == "string" end
    -- Stock Lua repeats nothing for ever.
    if f == string.rep then return (tonumber(y) or 0) > 100 and (x == "" or tonumber(y) < math.maxinteger) end
    if f == table.sort then
        return type(x) == "table" and not (is_sortable(x) and (y == nil or y == less or y == greater))
    end
    if f == setmetatable and type(y) == "table" then
        return rawget(y, "__mode") ~= nil or rawget(y, "__gc") ~= nil or type(rawget(y, "__call") or f) ~= "function"
    end
    return false
end

-- MARK: What is told

local show
local function show_fields(t, seen)
    local parts = {}
    for k, v in next, t do parts[#parts + 1] = show(k, seen) .. "=" .. show(v, seen) end
    table.sort(parts)
    return "{" .. table.concat(parts, ",") .. "}"
end
function show(v, seen)
    local kind = type(v)
    if kind == "string" then
        return (("%q"):format(v):gsub("[^ -~]", function(c) return ("\\x%02X"):format(c:byte()) end))
    end
    if kind == "number" then return v ~= v and "nan" or ("%q"):format(v) end
    if kind == "thread" then return "thread " .. coroutine.status(v) end
    if kind ~= "table" then return has_address[kind] and kind or tostring(v) end
    if seen[v] then return "seen" end
    seen[v] = true
    local shown = show_fields(v, seen)
    seen[v] = nil
    return #shown > 1000 and "long" or shown
end

-- The same without what only the machine or the words of an error decide.
local function plain(v)
    if v ~= v then return nan end
    if type(v) == "string" and #v < 2000 then return (v:gsub(": 0x%x+", "")) end
    return v
end
local catching = {
    [pcall] = true, [xpcall] = true, [coroutine.resume] = true, [coroutine.close] = true,
}

local lines = {}
local next_line = told:gmatch("[^\n]+")
while #lines < 60 do
    local chosen = draw(8)
    if chosen == nil then break end
    -- In stock Lua the iterator of pairs is next, so the name of a variable's function does not count.
    local f, name = nil, "variable"
    if chosen <= 5 then
        f = pick(functions)
        name = names[f]
    elseif chosen <= 7 then
        f = variable("function") or pairs
    else
        f = variables[draw(8) or 1]
    end
    local a = arguments_of(name)
    local line
    local known = next_line()
    if known == nil and told == "" then known = differs(f, a) and "?" end
    if known == "?" then
        line = "?"
    else
        local r = table.pack(pcall(f, table.unpack(a, 1, a.n)))
        if not r[1] then
            line = type(r[2]) == "string" and "error" or "error " .. show(plain(r[2]), {})
            r.n = 0
        else
            local shown = {}
            for i = 1, r.n do r[i] = plain(r[i]) end
            if catching[f] and r[2] == false and type(r[3]) == "string" then r[3] = "message" end
            for i = 2, r.n do shown[#shown + 1] = show(r[i], {}) end
            line = name .. " " .. table.concat(shown, " ")
        end
        for i = 2, r.n < 4 and r.n or 4 do variables[draw(8) or 1] = r[i] end
    end
    lines[#lines + 1] = #line > 800 and "long" or line
end
for i = 1, 8 do lines[#lines + 1] = show(variables[i], {}) end
return table.concat(lines, "\n")
