/// An `errno`, printed as its message.
package struct SystemFailure: Error, CustomStringConvertible {
    package let number: Int32

    package init(number: Int32 = errno) { self.number = number }

    package var description: String { String(cString: strerror(number)) }
}
