/// A plain value: the one kind of data that crosses between a host, its scripts and its plugins.
///
/// ```swift
/// var order: Value = ["id": 7, "lines": [["title": "tea", "price": 4.5]]]
/// print(order["lines"]?[0]?["title"]?.string ?? "")  // tea
/// order["id"] = 8
/// ```
///
/// Props, state, actions, outputs and renderings are all plain values, so each of them can be
/// compared, printed, stored, sent as JSON and handed to Lua.
///
/// Two values are equal exactly when their encodings are equal byte for byte. Hence `.int(1)`
/// differs from `.double(1)`, `.double(0)` from `.double(-0.0)`, `.double(.nan)` equals itself,
/// and strings compare by their UTF-8 bytes rather than by canonical equivalence.
///
/// Lists and records of an ``EncodedValue`` read straight from its bytes. Taking one out of a large
/// encoding costs nothing until it is read.
///
/// - Important: A list or record that was taken out keeps the whole encoding alive.
@frozen
public enum Value: Sendable {
    /// No value. A record may hold it under a key, which is not the same as lacking the key.
    case null
    /// A truth value.
    case bool(Bool)
    /// A whole number; never equal to a floating-point number.
    case int(Int)
    /// A floating-point number. NaN and the infinities may be held but not encoded.
    case double(Double)
    /// Text, compared by its UTF-8 bytes.
    case string(String)
    /// Values in order.
    case list(List)
    /// Values by name, in the order of the names' UTF-8 bytes.
    case record(Record)
}
