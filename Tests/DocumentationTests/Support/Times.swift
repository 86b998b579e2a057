import Foundation

extension String {
    /// The text with all times replaced, which differ between runs.
    var withoutTimes: String {
        components(separatedBy: "\n").map {
            $0.replacing(/(<1|[\d.]+) m?s$/, with: "0 ms").replacing(
                /\d+\.\d s(?=  )/, with: "0.0 s"
            )
            .replacing(/"at":"[^"]*Z"/, with: #""at":"""#)
        }.joined(separator: "\n")
    }
}
