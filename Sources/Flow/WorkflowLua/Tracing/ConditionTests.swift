import LuaVM
import PlainValue

/// Comparisons of reads and scalars joined by `and` or by `or`: `item.n > 3 and not item.done`.
struct ConditionTests {
    private enum Operand {
        case read(ExpressionWords.Found)
        case scalar(Value)
    }

    private typealias Test = (Operand, LuaCondition.Comparison, Operand)

    private var tests: [Test] = []
    private var isAny = false

    /// - Parameter isGlobal: Returns true for the name of a global of the sandbox.
    init?(of expression: String, isGlobal: (String) -> Bool) {
        let words = ExpressionWords(expression)
        var index = 0
        while true {
            guard let test = Self.test(words, &index, isGlobal) else { return nil }
            tests.append(test)
            let word = words[index]
            if word.isEmpty { return }
            guard word == "and" || word == "or", tests.count == 1 || isAny == (word == "or") else {
                return nil
            }
            isAny = word == "or"
            index += 1
        }
    }

    private static func test(
        _ words: ExpressionWords, _ index: inout Int, _ isGlobal: (String) -> Bool
    ) -> Test? {
        guard let left = operand(words, &index, isGlobal) else { return nil }
        let sign = words[index]
        guard ["==", "~=", "<", "<=", ">", ">="].contains(sign) else { return nil }
        index += 1
        guard let right = operand(words, &index, isGlobal) else { return nil }
        switch sign {
        case "==": return (left, .equal, right)
        case "~=": return (left, .unequal, right)
        case "<": return (left, .less, right)
        case "<=": return (left, .lessOrEqual, right)
        case ">": return (right, .less, left)
        default: return (right, .lessOrEqual, left)
        }
    }

    private static func operand(
        _ words: ExpressionWords, _ index: inout Int, _ isGlobal: (String) -> Bool
    ) -> Operand? {
        if let scalar = scalar(words, &index) { return .scalar(scalar) }
        guard let found = words.read(at: index), found.read != nil, !isGlobal(found.name) else {
            return nil
        }
        index = found.end
        return .read(found)
    }

    private static func scalar(_ words: ExpressionWords, _ index: inout Int) -> Value? {
        let isNegative = words[index] == "-"
        let word = words[index + (isNegative ? 1 : 0)]
        let value: Value
        if word.first?.isNumber == true, word.allSatisfy({ $0.isNumber || $0 == "." }) {
            guard let number = Int(word).map(Value.int) ?? Double(word).map(Value.double) else {
                return nil
            }
            value = isNegative ? number.negated : number
        } else if isNegative {
            return nil
        } else if word == "true" || word == "false" {
            value = .bool(word == "true")
        } else if word == "nil" {
            value = .null
        } else if let quote = word.first, "\"'".contains(quote), !word.contains("\\") {
            value = .string(String(word.dropFirst().dropLast()))
        } else {
            return nil
        }
        index += isNegative ? 2 : 1
        return value
    }

    /// Makes the condition in the form that a trace tests.
    func makeCondition() -> LuaCondition? {
        var made: [LuaCondition.Test] = []
        for (left, comparison, right) in tests {
            guard let left = makeOperand(left), let right = makeOperand(right) else { return nil }
            made.append(LuaCondition.Test(left, comparison, right))
        }
        return LuaCondition(made, isAny: isAny)
    }

    private func makeOperand(_ operand: Operand) -> LuaCondition.Operand? {
        switch operand {
        case .read(let found): found.read.map { .read($0) }
        case .scalar(let value): .scalar(value)
        }
    }
}

extension Value {
    fileprivate var negated: Value {
        switch self {
        case .int(let number): .int(-number)
        case .double(let number): .double(-number)
        default: self
        }
    }
}
