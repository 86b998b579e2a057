import LibC
import NIOCore

/// The reason why nothing can listen at a port.
package struct ListenerFailure: Error {
    package let port: Int
    /// The reason, as the end of a sentence.
    package let reason: String
    let isTaken: Bool

    init(port: Int, _ reason: String, isTaken: Bool = false) {
        self.port = port
        self.reason = reason
        self.isTaken = isTaken
    }

    init(port: Int, _ error: any Error) {
        guard let error = error as? IOError else {
            self.init(port: port, "\(error)")
            return
        }
        self.init(
            port: port, String(cString: strerror(error.errnoCode)),
            isTaken: error.errnoCode == EADDRINUSE)
    }
}
