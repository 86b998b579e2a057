---@meta workflow
-- Made by `workflow-run types` for Lua's language server; make it again rather than edit it.

---A sink of a rendering: a plain value that can be sent back as an action.
---@alias workflow.Sink table

---An action: a record with a type.
---@class workflow.Action
---@field type string
---@field [string] any

---Waits for some seconds, then gives one output.
---@class worker.clock.after.Input
---@field seconds number
---@field restore? string

---@class worker.clock.after.Output
---@field seconds number

---@class worker.clock.after.Options: workflow.RunOptions
---@field on_output string|(fun(output: worker.clock.after.Output): any)?

---Gives an output each time that some seconds have passed.
---@class worker.clock.every.Input
---@field seconds number
---@field restore? string

---@class worker.clock.every.Output
---@field tick integer

---@class worker.clock.every.Options: workflow.RunOptions
---@field on_output string|(fun(output: worker.clock.every.Output): any)?

---Reads a file.
---@class worker.file.read.Input
---@field path string
---@field encoding? "utf-8"|"base64"
---@field max_bytes? integer

---@class worker.file.read.Output
---@field content string

---@class worker.file.read.Options: workflow.RunOptions
---@field on_output string|(fun(output: worker.file.read.Output): any)?

---Writes a file, all of it or nothing.
---@class worker.file.write.Input
---@field path string
---@field content string
---@field encoding? "utf-8"|"base64"

---@class worker.file.write.Output
---@field size integer

---@class worker.file.write.Options: workflow.RunOptions
---@field on_output string|(fun(output: worker.file.write.Output): any)?

---Lists what is in a folder, in the order of the names.
---@class worker.file.list.Input
---@field path string

---@class worker.file.list.Output
---@field entries { name: string, kind: "file"|"folder"|"link"|"other", size: integer, modified: number }[]

---@class worker.file.list.Options: workflow.RunOptions
---@field on_output string|(fun(output: worker.file.list.Output): any)?

---Tells each change of a file, or of what is in a folder.
---@class worker.file.watch.Input
---@field path string

---@class worker.file.watch.Output
---@field path string
---@field event "created"|"modified"|"removed"|"renamed"|"overflow"
---@field from? string

---@class worker.file.watch.Options: workflow.RunOptions
---@field on_output string|(fun(output: worker.file.watch.Output): any)?

---Runs a program to its end, then gives its exit code and its output.
---@class worker.process.run.Input
---@field program string
---@field arguments? string[]
---@field input? string
---@field folder? string
---@field environment? table<string, string>
---@field timeout? number
---@field max_bytes? integer

---@class worker.process.run.Output
---@field exit_code? integer
---@field signal? string
---@field stdout string
---@field stderr string

---@class worker.process.run.Options: workflow.RunOptions
---@field on_output string|(fun(output: worker.process.run.Output): any)?

---Runs a program, gives each line that it writes, then its exit code.
---@class worker.process.lines.Input
---@field program string
---@field arguments? string[]
---@field input? string
---@field folder? string
---@field environment? table<string, string>
---@field timeout? number
---@field max_bytes? integer

---@class worker.process.lines.Output
---@field stream? "stdout"|"stderr"
---@field line? string
---@field continues? boolean
---@field exit_code? integer
---@field signal? string

---@class worker.process.lines.Options: workflow.RunOptions
---@field on_output string|(fun(output: worker.process.lines.Output): any)?

---Sends an action to a session of the same service.
---@class worker.session.send.Input
---@field to string
---@field action any
---@field node? string

---@class worker.session.send.Output
---@field session string
---@field step integer
---@field rendering any

---@class worker.session.send.Options: workflow.RunOptions
---@field on_output string|(fun(output: worker.session.send.Output): any)?

---Creates a session of the same service.
---@class worker.session.create.Input
---@field flow string
---@field id string
---@field props? any

---@class worker.session.create.Output
---@field session string
---@field step integer
---@field rendering any

---@class worker.session.create.Options: workflow.RunOptions
---@field on_output string|(fun(output: worker.session.create.Output): any)?

---Gives the outputs of a session of the same service.
---@class worker.session.outputs.Input
---@field of string
---@field after? { step: integer, number?: integer }

---@class worker.session.outputs.Output
---@field step integer
---@field number integer
---@field output any

---@class worker.session.outputs.Options: workflow.RunOptions
---@field on_output string|(fun(output: worker.session.outputs.Output): any)?

---What a flow file returns: one type of node.
---@class workflow.Definition
---@field name string? The name of the node; that of the file unless given.
---@field state table|(fun(props: table, context: workflow.StateContext): table)? The first state of a node, or the function that makes it.
---@field changed (fun(old_props: table, new_props: table, state: table))? Called when the node gets other props; may change the state.
---@field render fun(state: table, context: workflow.RenderContext): any Shows the state: returns a plain value, and changes nothing.
---@field apply table<string, fun(state: table, action: workflow.Action, context: workflow.ApplyContext): any>|(fun(state: table, action: workflow.Action, context: workflow.ApplyContext): any)? Changes the state, by the type of the action; what it returns is the output.
---@field version integer? The version of the shape of the state; 1 unless given.
---@field migrate (fun(state: table, from_version: integer): table)? Turns the state of an older version into one of this version.
---@field access (fun(principal: workflow.Principal, what: table, state: table, props: table): boolean)? Decides whether somebody may do something; only that of a flow's root is asked.

---What state may use, during the call that got it.
---@class workflow.StateContext
---@field props table The node's props, read-only.
---@field principal string? The name of whoever the node is made for: of a root, its creator.
local StateContext = {}

---What render may use, during the call that got it.
---@class workflow.RenderContext
---@field props table The node's props, read-only.
local RenderContext = {}

---Renders a child and returns its rendering.
---```lua
---local Item = require "item"
---local function render(state, context)
---    return context:render(Item, { item = state.item }, { key = state.item.id })
---end
---```
---@param definition workflow.Definition|string
---@param props? table
---@param options? workflow.ChildOptions
---@return any
function RenderContext:render(definition, props, options) end

---A plain value that whoever holds the rendering can send back as an action.
---```lua
---local function render(state, context)
---    return { count = state.count, add = context:sink("add", { by = 1 }) }
---end
---```
---@param type string
---@param fields? table
---@return workflow.Sink
function RenderContext:sink(type, fields) end

---Declares a worker, which runs for as long as each render declares it.
---```lua
---local function render(state, context)
---    context:run("clock.after", { seconds = 5 }, { on_output = "rang" })
---end
---```
---@param worker string
---@param input? any
---@param options? workflow.RunOptions
---@overload fun(self: workflow.RenderContext, worker: "clock.after", input: worker.clock.after.Input, options?: worker.clock.after.Options)
---@overload fun(self: workflow.RenderContext, worker: "clock.every", input: worker.clock.every.Input, options?: worker.clock.every.Options)
---@overload fun(self: workflow.RenderContext, worker: "file.read", input: worker.file.read.Input, options?: worker.file.read.Options)
---@overload fun(self: workflow.RenderContext, worker: "file.write", input: worker.file.write.Input, options?: worker.file.write.Options)
---@overload fun(self: workflow.RenderContext, worker: "file.list", input: worker.file.list.Input, options?: worker.file.list.Options)
---@overload fun(self: workflow.RenderContext, worker: "file.watch", input: worker.file.watch.Input, options?: worker.file.watch.Options)
---@overload fun(self: workflow.RenderContext, worker: "process.run", input: worker.process.run.Input, options?: worker.process.run.Options)
---@overload fun(self: workflow.RenderContext, worker: "process.lines", input: worker.process.lines.Input, options?: worker.process.lines.Options)
---@overload fun(self: workflow.RenderContext, worker: "session.send", input: worker.session.send.Input, options?: worker.session.send.Options)
---@overload fun(self: workflow.RenderContext, worker: "session.create", input: worker.session.create.Input, options?: worker.session.create.Options)
---@overload fun(self: workflow.RenderContext, worker: "session.outputs", input: worker.session.outputs.Input, options?: worker.session.outputs.Options)
function RenderContext:run(worker, input, options) end

---What apply may use, during the call that got it.
---@class workflow.ApplyContext
---@field props table The node's props, read-only.
---@field now number Seconds since 1970, the same for the whole action.
---@field principal string? The name of whoever sent the input that the action comes of, if the host knows it.
local ApplyContext = {}

---A random number from the session's seed, with the arguments of math.random.
---```lua
---local function rolled(state, action, context)
---    state.die = context:random(1, 6)
---end
---```
---@param m? integer
---@param n? integer
---@return number
function ApplyContext:random(m, n) end

---The options of context:render.
---@class workflow.ChildOptions
---@field key (string|integer)? Tells children of one definition apart; a new key is a new node.
---@field on_output string|(fun(output: any): any)? The action for an output of the child: its type, or a function that makes it.

---The options of context:run.
---@class workflow.RunOptions
---@field key (string|integer)? Tells workers of one name apart.
---@field on_output string|(fun(output: any): any)? The action for an output of the worker.
---@field on_error string|(fun(error: workflow.WorkerError): any)? The action for a failure of the worker.
---@field on_finish string|(fun(): any)? The action for the end of the worker.

---Why a worker failed.
---@class workflow.WorkerError
---@field code string One word for programs, such as timed_out.
---@field message string One sentence for people.
---@field help string? The next step to take.

---Who asks for something, as access gets it from every host.
---@class workflow.Principal
---@field name string The name, which is context.principal in apply and state.
---@field claims table What else the host knows, such as a role.
---@field scopes string[] The rights that the host grants.

---What require "workflow" gives; test, any and sink are for tests.
---@class workflowlib
---@field null any A null that keeps its place in a plain value.
---@field any any In a test, what matches everything but nil.
workflow = {}

---A copy of a value without metatables.
---```lua
---local workflow = require "workflow"
---local point = setmetatable({ x = 1 }, { __index = { y = 2 } })
---return workflow.plain(point)
---```
---@param value any
---@return any
function workflow.plain(value) end

---An empty record; an empty table is a list.
---```lua
---local workflow = require "workflow"
---return workflow.record()
---```
---@return table
function workflow.record() end

---In a test, what a sink is expected to be, wherever its node stands.
---```lua
---local flow = workflow.test(require "counter")
---flow:expect_rendering { increment = workflow.sink "increment" }
---```
---@param type string
---@param fields? table
---@return workflow.Sink
function workflow.sink(type, fields) end

---Plays a flow in a test; no real worker runs.
---```lua
---local Counter = require "counter"
---local flow = workflow.test(Counter, { step = 2 })
---```
---@param definition workflow.Definition|string
---@param props? table
---@param options? table
---@return workflow.TestedFlow
function workflow.test(definition, props, options) end

-- What files of tests, *_test.lua, may use.

---Groups tests under a name.
---```lua
---describe("counter", function()
---    it("begins at nothing", function()
---        workflow.test(require "counter"):expect_rendering { count = 0 }
---    end)
---end)
---```
---@param name string
---@param body fun()
function describe(name, body) end

---A test.
---@param name string
---@param body fun()
function it(name, body) end

---A test that is not to be run yet.
---```lua
---pending("counts backwards")
---```
---@param name string
---@param body? fun()
function pending(name, body) end

---Runs before each test of the group.
---```lua
---local flow
---before_each(function() flow = workflow.test(require "counter") end)
---```
---@param body fun()
function before_each(body) end

---Runs after each test of the group.
---@param body fun()
function after_each(body) end

---Looks at a value, or a function.
---```lua
---expect({ 1, 2 }):equals { 1, 2 }
---```
---@param value any
---@return workflow.Expectation
function expect(value) end

---A flow that is played by a test.
---@class workflow.TestedFlow
---@field rendering any The rendering as it is now.
---@field state any The state of the root as it is now.
local TestedFlow = {}

---Sends an action, or a sink of the rendering.
---```lua
---local flow = workflow.test(require "counter")
---flow:send { type = "increment" }
---flow:send(flow.rendering.increment)
---```
---@param action string|workflow.Action|workflow.Sink
---@param fields? table
function TestedFlow:send(action, fields) end

---Expects the rendering to have these fields.
---@param part any
function TestedFlow:expect_rendering(part) end

---Expects the state of the root, or of a node, to have these fields.
---@param part any
---@param node? string
function TestedFlow:expect_state(part, node) end

---Expects an output of the root.
---@param output any
function TestedFlow:expect_output(output) end

---Expects that there was no output.
function TestedFlow:expect_no_output() end

---Expects that what was sent last has failed, by its message or its code.
---@param error string|table
function TestedFlow:expect_error(error) end

---A worker that the flow has declared.
---```lua
---local flow = workflow.test(require "alarm")
---flow:worker("clock.after"):expect_input { seconds = 5 }
---flow:worker("clock.after"):output { seconds = 5 }
---```
---@param name string
---@param key? string|integer|table
---@return workflow.TestedWorker
function TestedFlow:worker(name, key) end

---Lets time pass, which is virtual in tests.
---@param seconds number
function TestedFlow:advance(seconds) end

---Expects that no such worker runs.
---@param name? string
function TestedFlow:expect_no_worker(name) end

---Expects the rendering to be the one that is kept under this name.
---@param name string
function TestedFlow:expect_golden(name) end

---Goes back one step.
function TestedFlow:undo() end

---Goes forward one step.
function TestedFlow:redo() end

---Gives the root other props.
---@param props table
function TestedFlow:update(props) end

---Names the sender of what is sent from now on; without a name it is nobody's.
---```lua
---local flow = workflow.test(require "counter", {}, { principal = "ann" })
---flow:by "bob"
---flow:send "increment"
---```
---@param principal? string
function TestedFlow:by(principal) end

---Asks the flow's access whether somebody may do something.
---```lua
---local flow = workflow.test(require "counter")
---local what = { ["do"] = "send", action = { type = "increment" } }
---assert(flow:allows({ name = "ann" }, what))
---```
---@param principal workflow.Principal
---@param what table
---@return boolean
function TestedFlow:allows(principal, what) end

---Lets outputs and workers be that the test does not mention.
function TestedFlow:loosely() end

---A worker of a flow that is played by a test, which plays its part.
---@class workflow.TestedWorker
local TestedWorker = {}

---Expects the input to have these fields.
---@param part any
function TestedWorker:expect_input(part) end

---Gives an output.
---@param output any
function TestedWorker:output(output) end

---Comes to its end.
function TestedWorker:finish() end

---Fails.
---```lua
---local flow = workflow.test(require "alarm")
---flow:worker("clock.after"):fail { code = "failed", message = "it broke" }
---```
---@param error workflow.WorkerError
function TestedWorker:fail(error) end

---A value that a test looks at.
---@class workflow.Expectation
local Expectation = {}

---Expects the value to be equal to this one.
---@param expected any
function Expectation:equals(expected) end

---Expects the value to have these fields.
---@param part any
function Expectation:matches(part) end

---Expects the function to fail, with this in the message.
---```lua
---expect(function() error("empty") end):fails "empty"
---```
---@param text? string
function Expectation:fails(text) end

-- The global functions of flows.

---Raises an error with the message unless the value is true.
---```lua
---local text = assert(tostring(1), "there is no text")
---```
---@param value any
---@param message? any
---@param ... any
---@return any
function assert(value, message, ...) end

---Raises an error.
---```lua
---error("the cart is empty")
---```
---@param message any
---@param level? integer
function error(message, level) end

---The metatable of a value.
---@param value any
---@return any
function getmetatable(value) end

---Goes through the elements of a list, in order.
---```lua
---for index, item in ipairs({ "a", "b" }) do print(index, item) end
---```
---@param list table
---@return fun(list: table, index: integer): integer, any
function ipairs(list) end

---The key after a key.
---@param record table
---@param key? any
---@return any
function next(record, key) end

---Goes through the keys of a table, in an order that is always the same.
---```lua
---for key, value in pairs({ a = 1 }) do print(key, value) end
---```
---@param record table
---@return fun(record: table, key: any): any, any
function pairs(record) end

---Calls a function; false and the error if it fails.
---@param f function
---@param ... any
---@return boolean
function pcall(f, ...) end

---Writes a line to the session's log.
---@param ... any
function print(...) end

---Compares without metamethods.
---@param a any
---@param b any
---@return boolean
function rawequal(a, b) end

---Reads without metamethods.
---@param record table
---@param key any
---@return any
function rawget(record, key) end

---The length without metamethods.
---@param value table|string
---@return integer
function rawlen(value) end

---Writes without metamethods.
---@param record table
---@param key any
---@param value any
---@return table
function rawset(record, key, value) end

---What a file beside the flow returns; "parts.row" is parts/row.lua.
---```lua
---local Item = require "item"
---```
---@param module string
---@return any
function require(module) end

---The later arguments.
---@param index integer|"#"
---@param ... any
---@return any
function select(index, ...) end

---Gives a table a metatable, with the metamethods that this has now.
---@param record table
---@param metatable table?
---@return table
function setmetatable(record, metatable) end

---The number in a text.
---@param value any
---@param base? integer
---@return number?
function tonumber(value, base) end

---The text of a value.
---@param value any
---@return string
function tostring(value) end

---The name of the value's type.
---@param value any
---@return string
function type(value) end

---Calls a function, with a function that receives its error.
---@param f function
---@param handler function
---@param ... any
---@return boolean
function xpcall(f, handler, ...) end

---Texts.
---@class stringlib
string = {}

---Codes of bytes.
---@param s string
---@param i? integer
---@param j? integer
---@return integer
function string.byte(s, i, j) end

---The text of these bytes.
---@param ... integer
---@return string
function string.char(...) end

---Where a pattern first stands: its begin and its end.
---@param s string
---@param pattern string
---@param init? integer
---@param plain? boolean
---@return integer?
function string.find(s, pattern, init, plain) end

---A text from a template.
---@param format string
---@param ... any
---@return string
function string.format(format, ...) end

---Goes through the places where a pattern stands.
---@param s string
---@param pattern string
---@param init? integer
---@return fun(): string
function string.gmatch(s, pattern, init) end

---The text with a pattern replaced, and how often it was.
---@param s string
---@param pattern string
---@param by string|table|function
---@param n? integer
---@return string
function string.gsub(s, pattern, by, n) end

---The number of bytes.
---@param s string
---@return integer
function string.len(s) end

---The text in lower case.
---@param s string
---@return string
function string.lower(s) end

---What a pattern captures where it first stands.
---@param s string
---@param pattern string
---@param init? integer
---@return string?
function string.match(s, pattern, init) end

---Values as bytes.
---@param format string
---@param ... any
---@return string
function string.pack(format, ...) end

---How many bytes pack gives.
---@param format string
---@return integer
function string.packsize(format) end

---The text again and again.
---@param s string
---@param n integer
---@param separator? string
---@return string
function string.rep(s, n, separator) end

---The bytes from the end to the begin.
---@param s string
---@return string
function string.reverse(s) end

---A part of a text.
---@param s string
---@param i integer
---@param j? integer
---@return string
function string.sub(s, i, j) end

---Values from bytes.
---@param format string
---@param s string
---@param position? integer
---@return any
function string.unpack(format, s, position) end

---The text in upper case.
---@param s string
---@return string
function string.upper(s) end

---Lists.
---@class tablelib
table = {}

---The elements as one text.
---```lua
---local line = table.concat({ "a", "b" }, ", ")
---```
---@param list table
---@param separator? string
---@param i? integer
---@param j? integer
---@return string
function table.concat(list, separator, i, j) end

---Puts an element at a position, or at the end.
---@param list table
---@param position any
---@param value? any
function table.insert(list, position, value) end

---Copies elements to another place.
---@param from table
---@param first integer
---@param last integer
---@param at integer
---@param to? table
---@return table
function table.move(from, first, last, at, to) end

---A list of the arguments, with n.
---@param ... any
---@return table
function table.pack(...) end

---Takes an element out.
---@param list table
---@param position? integer
---@return any
function table.remove(list, position) end

---Sorts in place.
---@param list table
---@param less? fun(a: any, b: any): boolean
function table.sort(list, less) end

---The elements as several values.
---@param list table
---@param i? integer
---@param j? integer
---@return any
function table.unpack(list, i, j) end

---Numbers.
---@class mathlib
---@field huge number A float above all others; it is not a plain value.
---@field maxinteger integer The largest integer.
---@field mininteger integer The least integer.
---@field pi number 3.14159…
math = {}

---The number without its sign.
---@param x number
---@return number
function math.abs(x) end

---The arc cosine.
---@param x number
---@return number
function math.acos(x) end

---The arc sine.
---@param x number
---@return number
function math.asin(x) end

---The arc tangent of y/x.
---@param y number
---@param x? number
---@return number
function math.atan(y, x) end

---The next whole number above.
---@param x number
---@return integer
function math.ceil(x) end

---The cosine.
---@param x number
---@return number
function math.cos(x) end

---The hyperbolic cosine.
---@param x number
---@return number
function math.cosh(x) end

---Radians as degrees.
---@param x number
---@return number
function math.deg(x) end

---The power of e.
---@param x number
---@return number
function math.exp(x) end

---The next whole number below.
---@param x number
---@return integer
function math.floor(x) end

---The rest of a division.
---@param x number
---@param y number
---@return number
function math.fmod(x, y) end

---The fraction and the exponent of a power of 2.
---@param x number
---@return number
function math.frexp(x) end

---A number times a power of 2.
---@param m number
---@param e integer
---@return number
function math.ldexp(m, e) end

---The logarithm.
---@param x number
---@param base? number
---@return number
function math.log(x, base) end

---The logarithm to the base 10.
---@param x number
---@return number
function math.log10(x) end

---The largest.
---@param x number
---@param ... number
---@return number
function math.max(x, ...) end

---The least.
---@param x number
---@param ... number
---@return number
function math.min(x, ...) end

---The whole and the broken part.
---@param x number
---@return number
function math.modf(x) end

---A power.
---@param x number
---@param y number
---@return number
function math.pow(x, y) end

---Degrees as radians.
---@param x number
---@return number
function math.rad(x) end

---A random number from the session's seed; in render, always the same ones.
---@param m? integer
---@param n? integer
---@return number
function math.random(m, n) end

---The sine.
---@param x number
---@return number
function math.sin(x) end

---The hyperbolic sine.
---@param x number
---@return number
function math.sinh(x) end

---The square root.
---@param x number
---@return number
function math.sqrt(x) end

---The tangent.
---@param x number
---@return number
function math.tan(x) end

---The hyperbolic tangent.
---@param x number
---@return number
function math.tanh(x) end

---The integer of the same value.
---@param x any
---@return integer?
function math.tointeger(x) end

---"integer" or "float".
---@param x any
---@return string?
function math.type(x) end

---Compares without signs.
---@param m integer
---@param n integer
---@return boolean
function math.ult(m, n) end

---Texts in UTF-8.
---@class utf8lib
---@field charpattern string The pattern of one character.
utf8 = {}

---The text of these code points.
---@param ... integer
---@return string
function utf8.char(...) end

---Code points.
---@param s string
---@param i? integer
---@param j? integer
---@param lax? boolean
---@return integer
function utf8.codepoint(s, i, j, lax) end

---Goes through the positions and code points.
---@param s string
---@param lax? boolean
---@return fun(s: string, position: integer): integer, integer
function utf8.codes(s, lax) end

---The number of code points.
---@param s string
---@param i? integer
---@param j? integer
---@param lax? boolean
---@return integer?
function utf8.len(s, i, j, lax) end

---Where the nth code point begins.
---@param s string
---@param n integer
---@param i? integer
---@return integer?
function utf8.offset(s, n, i) end

---Functions that can pause.
---@class coroutinelib
coroutine = {}

---Ends a coroutine.
---@param co thread
---@return boolean
function coroutine.close(co) end

---A coroutine of a function.
---@param f function
---@return thread
function coroutine.create(f) end

---Whether yield can be called.
---@param co? thread
---@return boolean
function coroutine.isyieldable(co) end

---Goes on with a coroutine.
---@param co thread
---@param ... any
---@return boolean
function coroutine.resume(co, ...) end

---The coroutine that runs.
---@return thread
function coroutine.running() end

---What a coroutine is doing.
---@param co thread
---@return string
function coroutine.status(co) end

---A coroutine as a function.
---@param f function
---@return function
function coroutine.wrap(f) end

---Pauses, and gives these values.
---@param ... any
---@return any
function coroutine.yield(...) end

return workflow
