func table(_ title: String, _ rows: [Measurement]) {
    func pad(_ text: String, _ width: Int, left: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - text.count))
        return left ? space + text : text + space
    }
    print("\n\(title)")
    print(
        pad("shape", 44) + pad("ns", 12, left: true) + pad("allocations", 14, left: true) + "  goal"
    )
    for row in rows where !row.nanoseconds.isNaN {
        print(
            pad(row.name, 44) + pad("\(Int(row.nanoseconds.rounded()))", 12, left: true)
                + pad("\((row.allocations * 10).rounded() / 10)", 14, left: true) + "  " + row.note)
    }
}

table("native workflows, a cycle of action, apply, render", nativeShapes())
table("flows in Lua, a cycle of action, apply, render", try scriptedShapes())
