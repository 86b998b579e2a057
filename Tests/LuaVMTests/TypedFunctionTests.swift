import LuaVM
import PlainValue
import Testing

@Suite struct TypedFunctionTests {
    private struct Item: Codable {
        var title: String
        var price: Double?
    }

    private struct SoldOut: Error {}

    private let vm: LuaVM

    init() throws {
        vm = try LuaVM()
        let functions = [
            "add": try vm.makeFunction("add") { (a: Int, b: Int) in a + b },
            "priced": try vm.makeFunction("priced") { (item: Item, price: Double?) in
                Item(title: item.title, price: price ?? item.price)
            },
            "find": try vm.makeFunction("find") { (list: [String], text: String) in
                list.firstIndex(of: text)
            },
            "seven": try vm.makeFunction("seven") { 7 },
            "sell": try vm.makeFunction("sell") { (items: [Item]) in throw SoldOut() },
        ]
        for (name, function) in functions { try vm.setGlobal(name, to: .reference(function)) }
    }

    @Test(
        arguments: [
            ("add(40, 2.0, 'more')", 42),
            ("priced({ title = 'tea' }, 2)", ["title": "tea", "price": 2.0]),
            ("priced({ title = 'tea' })", ["title": "tea"]),
            ("{ find({ 'a' }, 'a'), type(find({}, 'a')) }", [0, "nil"]),
            ("seven()", 7),
        ] as [(String, Value)])
    func argumentsAndResultsHaveTheirTypes(call: String, value: Value) throws {
        #expect(try vm.run("return " + call) == value)
    }

    @Test(arguments: [
        ("add(1, 'two')", "argument 2 of 'add' does not fit: expected an integer, found a string"),
        ("add(1)", "argument 2 of 'add' does not fit: expected an integer, found nil"),
        ("sell({ print })", "argument 1 of 'sell'[1]: a function is not a plain value"),
        ("sell({})", "SoldOut()"),
    ])
    func errorsHaveTheLineOfTheScript(call: String, message: String) throws {
        #expect("\(try vm.failure(of: "\n" + call))" == "t.lua:2: " + message)
    }

    @Test func theErrorOfTheHostIsKept() throws {
        let error = try vm.failure(of: "sell({})")
        #expect(error.code == .host)
        #expect(error.underlying is SoldOut)
        #expect(LuaError(describing: LuaError(.invalidUse, "too late")).code == .invalidUse)
    }
}
