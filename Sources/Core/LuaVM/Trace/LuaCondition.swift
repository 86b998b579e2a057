import CLuaBridge
package import PlainValue

/// A condition of a breakpoint, tested when a script reaches its line, without a call of the host.
package final class LuaCondition {
    package enum Operand {
        case read(LuaRead)
        case scalar(Value)
    }

    package enum Comparison {
        case equal, unequal, less, lessOrEqual
    }

    package struct Test {
        let left: Operand
        let comparison: Comparison
        let right: Operand

        package init(_ left: Operand, _ comparison: Comparison, _ right: Operand) {
            self.left = left
            self.comparison = comparison
            self.right = right
        }
    }

    // Keeps alive what the bridge's form points to.
    private let tests: [Test]
    private let bridged: UnsafeMutableBufferPointer<lb_test>
    let condition: UnsafeMutablePointer<lb_condition>

    /// - Parameter isAny: True if one of the tests is enough.
    package init(_ tests: [Test], isAny: Bool) {
        self.tests = tests
        bridged = .allocate(capacity: tests.count)
        condition = .allocate(capacity: 1)
        condition.initialize(
            to: lb_condition(
                tests: bridged.baseAddress, count: Int32(clamping: tests.count), any: isAny))
        for (index, test) in tests.enumerated() {
            bridged.initializeElement(
                at: index,
                to: lb_test(
                    comparison: test.comparison.bridged, left: operand(test.left),
                    right: operand(test.right)))
        }
    }

    deinit {
        for test in bridged {
            test.left.constant.bytes?.deallocate()
            test.right.constant.bytes?.deallocate()
        }
        bridged.deallocate()
        condition.deallocate()
    }

    private func operand(_ operand: Operand) -> lb_operand {
        var made = lb_operand()
        switch operand {
        case .read(let read): made.read = read.read
        case .scalar(let value):
            made.is_constant = true
            made.constant = lb_value(copying: value)
        }
        return made
    }
}

extension LuaCondition.Comparison {
    fileprivate var bridged: lb_comparison {
        switch self {
        case .equal: LB_EQUAL
        case .unequal: LB_UNEQUAL
        case .less: LB_LESS
        case .lessOrEqual: LB_LESS_EQUAL
        }
    }
}
