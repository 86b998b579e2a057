// What examples of LuaVM, PlainValue, WorkerKit and WorkflowPlugins take for granted.
import LuaVM
import PlainValue
import WorkerKit
import WorkflowPlugins

var call: LuaCall { fatalError("an example is compiled, not run") }

var apply: LuaReference { given() }
nonisolated(unsafe) var callbacks: [LuaReference] = []
var cart: LuaReference { given() }
var function: LuaReference { given() }
var item: LuaReference { given() }
var itemType: LuaObjectType { given() }
var maximum: LuaReference { given() }
var render: LuaReference { given() }
var state: LuaReference { given() }
var table: LuaReference { given() }
extension LuaObjectExamples { static var context: LuaObject { given() } }

nonisolated(unsafe) var bytes: [UInt8] = []
var defaults: Value.Record { given() }
var delivery: Value.Record { given() }
var encoded: EncodedValue { given() }
nonisolated(unsafe) var hasher: Hasher = Hasher()
nonisolated(unsafe) var list: Value.List = []
var new: Value { given() }
var old: Value { given() }
var pairs: [(String, Value)] { given() }
var place: ValuePath { given() }
nonisolated(unsafe) var shown: String = ""
nonisolated(unsafe) var stock: Value.Record = [:]
var value: Value { given() }
enum RecordLookupExamples { nonisolated(unsafe) static var item: Value.Record = [:] }

var grants: Grants { given() }
var worker: WorkerDefinition { given() }
var workers: WorkerSession { given() }
func pack(_ folder: String) {}
