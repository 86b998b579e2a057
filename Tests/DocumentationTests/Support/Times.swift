import Foundation

extension String {
    /// The text with all times replaced, which differ between runs.
    var withoutTimes: String {
        components(separatedBy: "\n").map { line in
            let line = line.replacing(/(<1|[\d.]+) m?s$/, with: "0 ms")
                .replacing(/"at":"[^"]*Z"/, with: #""at":"""#)
            // A row of a timeline, whose columns are as wide as its times.
            guard line.contains(#/# +after  |\(start\)|\d s  /#) else { return line }
            return line.replacing(/[\d.]+ s(?=  )/, with: "0 s").replacing(#/ +/#, with: " ")
        }.joined(separator: "\n")
    }
}
