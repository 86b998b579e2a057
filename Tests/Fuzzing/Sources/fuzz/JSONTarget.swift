import Foundation
import PlainValue

/// JSON: bytes are refused with a place, or read as a value whose print reads as the same value.
enum JSONTarget: FuzzTarget {
    static let seeds: [[UInt8]] = seedValues.flatMap { value in
        [Array(value.json.utf8), Array(value.prettyJSON.utf8)]
    }

    static func run(_ bytes: UnsafeRawBufferPointer) {
        let value: Value
        do throws(JSONError) {
            value = try Value(json: bytes)
        } catch {
            guard error.line >= 1, error.column >= 1 else { contradiction("no place: \(error)") }
            _ = error.description
            return
        }
        for text in [value.json, value.prettyJSON] {
            guard let again = try? Value(json: text), areSame(again, value) else {
                contradiction("printed and read again it differs: \(text)")
            }
            guard !text.unicodeScalars.contains(where: isControl) else {
                contradiction("a raw control character in \(text.debugDescription)")
            }
            // Another parser must accept the output.
            guard
                (try? JSONSerialization.jsonObject(
                    with: Data(text.utf8), options: .fragmentsAllowed)) != nil
                    || mayHoldExponents(text)
            else { contradiction("another parser refuses \(text)") }
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        (scalar.value < 0x20 && scalar != "\n") || (0x7f..<0xa0).contains(scalar.value)
    }

    /// The other parser refuses some of the smallest and largest floats.
    private static func mayHoldExponents(_ text: String) -> Bool { text.contains("e") }
}
