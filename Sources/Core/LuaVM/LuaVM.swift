import CLuaBridge
import LibC
import PlainValue

/// A safe Lua 5.4 interpreter.
///
/// ```swift
/// let vm = try LuaVM()
/// print(try vm.run("return 40 + 2", as: Int.self))  // 42
/// let add = try vm.load("local a, b = ... return a + b", chunkName: "add.lua")
/// let sum = try vm.call(add, 40, 2, returning: .value)
/// print(sum.value ?? .null)  // 42
/// ```
///
/// Scripts can use only an allow-list of functions. They run within limits of time, memory and size
/// that no script can catch. Every failure is a ``LuaError``. VMs are independent of each other.
///
/// - Important: A VM is used in one isolation domain, and by one thread at a time.
/// - Important: A VM retains its host functions as long as a script can call them, so they must not
///   retain it.
public final class LuaVM {
    /// The limits and settings of this VM.
    public let options: Options
    /// Called when a script prints. If it is nil, the text is dropped.
    public var onPrint: ((LuaPrint) -> Void)?

    /// Decides by its token whether a remembered reply still holds.
    @exclusivity(unchecked)
    package var onRecall: ((Int) -> Bool)?

    @exclusivity(unchecked)
    var trace: LuaTrace?
    var tracedPath: LuaReference?

    let interpreter: LuaInterpreter
    var bridge: OpaquePointer { interpreter.bridge }

    @exclusivity(unchecked)
    var functions: [HostFunction?] = []
    var freeFunctions: [Int32] = []
    /// The last error that a host function threw into Lua, until an outermost call has ended.
    @exclusivity(unchecked)
    var raisedError: LuaError?

    /// The last results of calls, and the last tables that calls have changed.
    @exclusivity(unchecked)
    var results = EncodingPair()
    @exclusivity(unchecked)
    var changes = EncodingPair()

    /// Makes a VM that has only the sandbox.
    ///
    /// - Throws: A ``LuaError``: `memoryLimit` without memory or a thread for the time limit;
    ///   `invalidUse` if the scripts cannot have a process, or `WORKFLOW_READING` is invalid.
    public init(_ options: Options = Options()) throws(LuaError) {
        var options = options
        // Changes in place stay in the process of the scripts, and would be lost with it.
        if options.isolation == .process { options.largeCount = .max }
        if options.valueReading == nil {
            options.valueReading = try .wish(getenv("WORKFLOW_READING"))
        }
        self.options = options
        var configuration = lb_configuration(options)
        var bridge: OpaquePointer?
        let status = lb_open(&configuration, &bridge)
        if status == LB_NO_ISOLATION { throw LuaVM.noIsolation }
        guard status == LB_OK, let bridge else {
            throw LuaError(.memoryLimit, "a Lua state cannot be made within the memory limit")
        }
        interpreter = LuaInterpreter(bridge)
        // Unretained, because `deinit` takes the callbacks back.
        let owner = Unmanaged.passUnretained(self).toOpaque()
        lb_set_callbacks(bridge, owner, runHostFunction, runPrint, confirmReply)
    }

    deinit {
        // References may keep the state open after the VM has gone.
        lb_set_callbacks(bridge, nil, nil, nil, nil)
    }

    /// True if values are read in Lua's memory; false also where that is impossible, or where the
    /// memory is another process's.
    var readsDirectly: Bool { lb_reads_directly(bridge) }

    /// The memory of the scripts in bytes, garbage included.
    public var memoryInUse: Int { lb_memory_in_use(bridge) }

    /// Frees memory that no script can reach any more.
    public func collectGarbage() {
        lb_collect_garbage(bridge)
        forgetDeadFunctions()
    }

    /// Sets the minimum stack size, in bytes, of new threads that do not request a size.
    ///
    /// A stack of 512 KiB has room for 200 nested calls through the functions of the sandbox. On a
    /// smaller one a call ends earlier, with an error that no script can catch. On Linux the size
    /// of threads is that of `ulimit -s`, usually 8 MiB. On other systems this does nothing.
    ///
    /// ```swift
    /// LuaVM.useStack(ofAtLeast: 8 << 20)
    /// ```
    ///
    /// - Important: Call it before the program makes its first thread; older ones keep their stack.
    public static func useStack(ofAtLeast size: Int) {
        lb_use_stack(max(size, 0))
    }

    /// The number of nested calls into Lua; 0 outside of host functions.
    public var depth: Int { Int(lb_depth(bridge)) }
}

func isPlainContainer(
    bytes: UnsafeRawPointer?, length: Int, configuration: UnsafePointer<lb_configuration>?
) -> Bool {
    guard let limits = configuration?.pointee else { return false }
    return Value.isEncodedContainer(
        UnsafeRawBufferPointer(start: bytes, count: length),
        limits: ValueLimits(
            depth: Int(limits.value_depth), count: Int(clamping: limits.value_count),
            byteCount: limits.value_size))
}

private func runPrint(
    owner: UnsafeMutableRawPointer?, text: UnsafePointer<CChar>?, length: Int,
    location: lb_location
) {
    guard let owner else { return }
    let vm = Unmanaged<LuaVM>.fromOpaque(owner).takeUnretainedValue()
    guard let onPrint = vm.onPrint else { return }
    onPrint(LuaPrint(text: String(text, length), location: LuaLocation(location)))
}

private func runHostFunction(
    owner: UnsafeMutableRawPointer?, function: Int32, call: OpaquePointer?
) -> Bool {
    guard let owner, let call else { return true }
    return Unmanaged<LuaVM>.fromOpaque(owner).takeUnretainedValue().run(function, call)
}

private func confirmReply(owner: UnsafeMutableRawPointer?, token: Int64) -> Bool {
    guard let owner else { return false }
    let vm = Unmanaged<LuaVM>.fromOpaque(owner)
    return vm._withUnsafeGuaranteedRef { $0.onRecall?(Int(token)) ?? false }
}

/// A line that a script printed.
///
/// ```swift
/// vm.onPrint = { line in
///     lines.append("\(line.location?.description ?? ""): \(line.text)")
/// }
/// _ = try vm.call(vm.load("print('hello')", chunkName: "hello.lua"))
/// ```
public struct LuaPrint: Sendable, Hashable {
    /// The text, without a line break at its end.
    public let text: String
    /// The location of the call of `print`; nil if it was not called from a script's code.
    public let location: LuaLocation?
}
