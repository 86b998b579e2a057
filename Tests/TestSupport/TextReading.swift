import Foundation

/// Reads text on a new thread until the end of a file, such as a pipe's end, which must stay open
/// meanwhile. `onText` gets pieces that split no character and no terminal sequence.
package func readText(
    from file: Int32, onText: @escaping @Sendable (String) -> Void,
    onEnd: @escaping @Sendable () -> Void
) {
    DispatchQueue(label: "reader").async {
        var pending: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &chunk, chunk.count)
            if count <= 0 { break }
            pending += chunk[..<count]
            guard let text = String(validating: pending, as: UTF8.self), !text.hasSuffix("\u{1B}"),
                text.firstMatch(of: /\u{1B}\[[0-9;?]*$/) == nil
            else { continue }
            pending = []
            onText(text)
        }
        onEnd()
    }
}
