import LibC

/// An `errno`, printed as its message.
struct SystemFailure: Error, CustomStringConvertible {
    let number: Int32

    var description: String { String(cString: strerror(number)) }
}
