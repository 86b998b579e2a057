// Causes of errors in flows, their files and what is called in them.
extension FlowError.Reason {
    // MARK: Files

    package static let noFile = Self(.file, "there is no file %0")
    package static let unreadable = Self(.file, "%0 cannot be read: %1")
    package static let unwritable = Self(.file, "%0 cannot be written: %1")
    package static let unmakeable = Self(.file, "%0 cannot be made: %1")
    package static let noText = Self(.file, "%0 is not UTF-8 text").help("save it as UTF-8")
    static let noFlow = noFile.help(giveFlow)
    static let nearFlow = noFile.help("did you mean %1?")
    static let noFlowButFolder = Self(.file, "%0 is a folder, not a flow").help(giveFlow)
    static let folderOfFlow = noFlowButFolder.help("give a flow in it, such as %1")
    static let unreadableFlow = unreadable.help(giveFlow)
    static let unreadableFolder = Self(.file, "the folder of %0 cannot be read")
    private static let giveFlow: FlowError.Hint =
        "give the path of a flow file, such as Examples/hello/hello.lua"

    // MARK: Modules

    static let noModuleName = Self(.module, "require needs the name of a module, not %0")
        .help("write require \"item\" for item.lua")
    static let badModuleName = Self(.module, "'%0' is not the name of a module")
        .help(
            """
            a module is a file in the flow's folder: require "item" for item.lua, \
            require "parts.row" for parts/row.lua
            """
        )
    static let cyclicModules = Self(.module, "modules require each other: %0")
    package static let noModule = Self(
        .module, "there is no module '%0': %1 is not in the flow's folder%2")
    static let refusedModule = Self(.module, "module '%0' cannot be loaded: %1")
    static let emptyModule = Self(.module, "%0 returns nothing")
        .help("end the file with: return { … }")

    // MARK: Definitions

    static let noDefinition = Self(
        .definition, "a flow returns a table with a render function, not %0"
    ).help("end the file with: return { render = function(state, context) … end }")
    static let tooManyFields = Self(.definition, "%0 has more than %1 fields").help(fields)
    static let noRender = Self(.definition, "%0 has no render function")
        .help("add: render = function(state, context) return { … } end")
    static let keyedField = Self(.definition, "%0 has the field %1, which is not a name")
        .help(fields)
    static let unknownField = Self(.definition, "%0 has an unknown field '%1'%2").help(fields)
    static let badField = Self(.definition, "'%1' of %0 is %2; it must be %3")
    static let emptyName = Self(.definition, "'name' of %0 is empty")
    static let tooManyActions = Self(
        .definition, "'apply' of %0 has more than 1,000 types of action"
    ).help("take them all in one function: apply = function(state, action, context) … end")
    static let noFunction = Self(
        .definition, "'apply' of %0 has %1 at %2; it holds functions under the names of actions"
    ).help("write: apply = { add = function(state, action) … end }")
    static let sameNames = Self(
        .definition, "'apply' of %0 has two names that are not UTF-8 and read the same: '%1'"
    ).help("write the types of actions in UTF-8")
    static let badVersion = Self(.definition, "'version' of %0 must be a whole number from 1 on")
        .help("begin with version = 1, and count on when the shape of the state changes")
    static let noMigrate = Self(
        .definition,
        "the state is of version %0 of %1, which is at version %2; "
            + "add: migrate = function(state, from_version) … return state end")
    private static let fields = FlowError.Hint(
        stringLiteral: "a definition has the fields "
            + DefinitionReader.known.joined(separator: ", "))

    // MARK: Results of functions

    static let badState = Self(.lua, "state must return a table or nil, not %0")
        .help("return a table: return { count = 0 }")
    static let badMigratedState = Self(.lua, "migrate must return the new state, not %0")
    static let badAccess = Self(.lua, "access must return true or false, not %0")
    static let stateChanged = Self(
        .lua, "render changed the state; only apply and changed may do that"
    ).help("make the change in a function of apply, or change a copy: local copy = { … }")
    static let otherVersion = Self(
        .snapshot, "the state of '%0' is of version %1, and its definition is of version %2 now")

    // MARK: Actions

    static let noType = Self(.badAction, "an action has no type: %0").help(giveType)
    static let badType = Self(.badAction, "the type of an action must be a string, not %0")
        .help(giveType)
    static let notAnAction = Self(.badAction, "an action must be a string or a record, not %0")
        .help("write \"add\" or { type = \"add\" }")
    static let noActions = Self(.unknownAction, "%0 has no actions, so no '%1'")
    static let undefinedAction = Self(.unknownAction, "%0 has no action '%1'%2")
    static let misspeltAction = Self(.unknownAction, "%0 has no action '%1'. Did you mean '%2'?")
    package static let noNodeInTree = Self(.unknownNode, "there is no node '%0' in the tree")
    static let unfitAction = Self(.badAction, "the action does not fit '%0': %1")
    static let noActionsFromOutside = Self(
        .badAction, "the node '%0' takes no actions from outside")
    static let longName = Self(.misuse, "%0 is longer than %1 bytes: '%2'")
        .help("give a short name, such as an id, and keep long texts in props or in the state")
    private static let giveType: FlowError.Hint = "give it a type, such as { type = \"add\" }"

    // MARK: Native workflows

    static let unfitProps = Self(.props, "the props of '%0' do not fit: %1")
    static let unmadeNative = Self(.host, "'%0' cannot be rendered: %1")
    static let unfitRendering = Self(.notPlain, "the rendering of '%0' is not a plain value: %1")
    static let unknownNative = Self(.unknownWorkflow, "no native workflow is registered as '%0'%1")
        .help("a workflow in Lua is rendered by its definition, which require returns")

    // MARK: The context

    static let tooDeep = Self(.depth, "nodes are nested deeper than the limit")
        .help(FlowError.endlessDepth)
    static let badChild = Self(
        .misuse, "context:render needs a definition or the name of a native workflow, not %0"
    ).help("write context:render(require \"item\", { … })")
    static let badProps = Self(.misuse, "the props of a child are a table, not %0")
        .help("write context:render(Child, { … })")
    static let badChildOptions = Self(.misuse, "the options of a child are a table, not %0")
        .help("write { key = …, on_output = … }")
    static let badWorkerOptions = Self(.misuse, "the options of a worker are a table, not %0")
        .help("write { key = …, on_output = …, on_error = …, on_finish = … }")
    static let twins = Self(.misuse, "two %0 '%1' without a key in one render").help(Self.giveKey)
    static let twinsWithKey = Self(.misuse, "two %0 '%1' with the key '%3' in one render")
        .help(Self.giveKey)
    private static let giveKey: FlowError.Hint = "give each %2 a key of its own: { key = item.id }"
    static let badSink = Self(.misuse, "context:sink needs the type of an action, not %0")
        .help("write context:sink(\"add\")")
    static let badSinkFields = Self(.misuse, "the fields of a sink are a table with names, not %0")
        .help("write context:sink(\"%1\", { id = item.id })")
    static let badRandom = Self(.misuse, "context:random takes whole numbers")
        .help("write context:random(6), or context:random(1, 6)")
    static let emptyRange = Self(.misuse, "context:random got an empty range, %0 to %1")
        .help("give the smaller number first")
    static let badWorkerName = Self(.misuse, "context:run needs the name of a worker, not %0")
        .help("write context:run(\"clock.after\", { seconds = 1 }, { on_output = \"…\" })")
    static let failedWorker = Self(.workerFailed, "worker '%0' failed: %1")
        .help("handle it: { on_error = \"…\" }, the type of an action")
    static let badHandler = Self(.misuse, "%0 is the type of an action or a function, not %1")
        .help("write %0 = \"…\", with a type that apply knows")
    static let badKey = Self(.misuse, "the key of %0 is a string or a whole number, not %1")
        .help("write { key = item.id }")
    static let unknownOption = Self(.misuse, "%0 has no option %1%2")
    static let unknownAnswer = unknownOption.help(
        "what a worker gives comes with on_output, and its end with on_finish or on_error")
    static let tooManyOptions = Self(.misuse, "%0 has more than 64 options")
        .help("its options are %1")
    static let outsideCall = Self(.misuse, "context:%0 was used outside the call it was made for")
        .help("use a context in the call that receives it, and do not keep it")
    static let misplaced = Self(.misuse, "context:%0 works only in %1").help("%2")
    static let noReceiver = Self(
        .misuse, "context:%0 needs the context of the call that is under way"
    ).help("write context:%0(…) with a colon")
    static let noTime = Self(.misuse, "os.time and os.date know the time only in apply")
        .help("keep context.now of an action in the state, or give a time to them")
    static let definedByScript = Self(
        .misuse, "a flow that a script defines is not loaded by itself")

    // MARK: Expressions

    static let badExpression = Self(.syntax, "'%0' is not an expression: %1")
        .help("write one as in Lua, such as item.id or #state.items > 3")
    static let badPath = Self(.badAction, "'%0' is not a path: %1").help("%2")
    static let endless = Self(.instructionLimit, "'%0' did not end")
    static let unknownVariable = Self(.lua, "there is no '%0' here")
    package static let wasInterrupted = Self(.interrupted, "it was interrupted")
}
