import Foundation

/// Runs `body` on a new thread with a stack of this size in bytes, and returns its result.
@discardableResult package func onStack<Result: Sendable>(
    of size: Int, _ body: @escaping @Sendable () -> Result
) -> Result? {
    let box = Box<Result>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        box.result = body()
        done.signal()
    }
    thread.stackSize = size
    thread.start()
    done.wait()
    return box.result
}

private final class Box<Result>: @unchecked Sendable {  // because the semaphore orders its two uses
    var result: Result?
}
