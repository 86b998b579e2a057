import LuaVM
import PlainValue

/// The definitions that a flow's modules and functions hold, with labels for those of one name. One
/// that a function makes again in each render is not included: only its node holds it.
struct DefinitionCensus {
    private struct Entry {
        /// Retained, so that no other table gets its address.
        let table: LuaReference
        let name: String
        let label: String
    }

    private var entries: [UnsafeRawPointer: Entry] = [:]
    private var labels: Set<String> = []
    private var countByName: [String: Int] = [:]
    private var visited: Set<UnsafeRawPointer> = []

    /// The maximum number of tables and functions that are visited.
    private static let mostObjects = 4096
    /// The maximum number of fields of a visited table; longer tables hold data.
    private static let mostFields = 256

    /// - Parameters:
    ///   - root: The table of the flow's root definition, which is not counted.
    ///   - others: The results of its modules by name, and other values that may hold definitions.
    init(of root: LuaReference?, _ others: [(name: String, LuaReference)], in vm: LuaVM) {
        var next = (root.map { [("", $0)] } ?? []) + others
        let rootAddress = root.flatMap { vm.identity(of: $0) }
        var first = 0
        // Breadth first, so that a definition gets its shortest label.
        while first < next.count, visited.count < Self.mostObjects {
            let (label, reference) = next[first]
            first += 1
            guard let address = vm.identity(of: reference), visited.insert(address).inserted,
                let fields = try? vm.fields(
                    of: reference, upTo: Self.mostFields, cuttingTextsTo: FlowNames.cut)
            else { continue }
            let isFunction = vm.type(of: reference) == .function
            if !isFunction, address != rootAddress {
                add(reference, at: address, fields, label: label, in: vm)
            }
            for field in fields {
                guard let value = field.reference, [.table, .function].contains(field.type) else {
                    continue
                }
                next.append((Self.label(of: field, in: isFunction ? "" : label), value))
            }
        }
        visited = []
    }

    private mutating func add(
        _ table: LuaReference, at address: UnsafeRawPointer, _ fields: [LuaField], label: String,
        in vm: LuaVM
    ) {
        guard let render = fields.first(where: { $0.key == .name("render") })?.reference,
            vm.type(of: render) == .function
        else { return }
        let given = fields.first { $0.key == .name("name") }?.scalar?.string
        let name = given ?? vm.location(of: render)?.chunk.nameOfPath.withoutLua
        guard let name else { return }
        var unique = label
        var number = 1
        while !labels.insert(unique).inserted {
            number += 1
            unique = "\(label)~\(number)"
        }
        entries[address] = Entry(table: table, name: name, label: unique)
        countByName[name, default: 0] += 1
    }

    private static func label(of field: LuaField, in table: String) -> String {
        switch field.key {
        case .name(let name): table.isEmpty ? name : "\(table).\(name)"
        case .index(let index): "\(table)[\(index)]"
        case .other: table
        }
    }

    func holds(_ address: UnsafeRawPointer) -> Bool { entries[address] != nil }

    /// The label of the definition at an address; `nil` if no other has its name.
    func label(at address: UnsafeRawPointer) -> String? {
        guard let entry = entries[address], countByName[entry.name, default: 0] > 1 else {
            return nil
        }
        return entry.label
    }

    func holds(
        _ name: String, labelled label: String, besides address: UnsafeRawPointer? = nil
    ) -> Bool {
        entries.contains { $0 != address && $1.name == name && $1.label == label }
    }
}
