import LibC

func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return left ? space + text : text + space
}

func table(_ title: String, _ rows: [Measurement]) {
    let rows = rows.filter { !$0.nanoseconds.isNaN }
    if rows.isEmpty { return }
    print("\n\(title)")
    print(
        padded("shape", 44) + padded("ns", 12, left: true)
            + padded("allocations", 14, left: true) + "  goal")
    for row in rows {
        print(
            padded(row.name, 44) + padded("\(Int(row.nanoseconds.rounded()))", 12, left: true)
                + padded("\((row.allocations * 10).rounded() / 10)", 14, left: true) + "  "
                + row.note)
    }
}

func table(_ title: String, _ rows: [Comparison], first: String, second: String) {
    let rows = rows.filter { !$0.ratio.isNaN }
    if rows.isEmpty { return }
    print("\n\(title)")
    print(
        padded("work", 44) + padded(first, 12, left: true) + padded(second, 12, left: true)
            + padded("allocations", 14, left: true) + padded("ratio", 8, left: true) + "  goal")
    for row in rows {
        print(
            padded(row.name, 44) + padded("\(Int(row.floor.nanoseconds))", 12, left: true)
                + padded("\(Int(row.ours.nanoseconds))", 12, left: true)
                + padded("\((row.ours.allocations * 10).rounded() / 10)", 14, left: true)
                + padded("\((row.ratio * 100).rounded() / 100)", 8, left: true) + "  ≤ \(row.goal)")
    }
}

table("native workflows, a cycle of action, apply, render", nativeShapes())
table("native workflows that declare the same again in each pass", declaredShapes())
table("flows in Lua, a cycle of action, apply, render", try scriptedShapes())
table("values from JSON and to JSON", jsonShapes())
table(
    "flows in Lua against a bare C program", try floorShapes(), first: "C, ns", second: "ours, ns")
table(
    "flows in Lua against themselves", try relativeShapes(), first: "first, ns",
    second: "second, ns")
// Of what follows, workers have threads, and the others begin with large states.
if isCounted { exit(0) }
table(
    "large states read twice a cycle, kept as such against kept like small ones", try largeShapes(),
    first: "small, ns", second: "large, ns")
table(
    "states and renderings read through Lua against read where Lua keeps them", try readingShapes(),
    first: "Lua, ns", second: "direct, ns")
table(
    "workers of flows in Lua, an output from the plugin to the new rendering",
    try await workersShapes())
