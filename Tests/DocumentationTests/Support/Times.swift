import Foundation

extension String {
    /// The text with placeholders for times, which differ between runs.
    var withoutTimes: String {
        components(separatedBy: "\n").map { line in
            let line = line.replacing(/(<1|(\d+ min )?[\d.]+) m?s$/, with: "0 ms")
                .replacing(/"at":"[^"]*Z"/, with: #""at":"""#)
            // A row of a timeline. The width of its columns depends on the times.
            guard line.contains(#/# +after  |\(start\)|\d s  /#) else { return line }
            return line.replacing(/(\d+ min )?[\d.]+ s(?=  )/, with: "0 s")
                .replacing(#/ +/#, with: " ")
        }.joined(separator: "\n")
    }
}
