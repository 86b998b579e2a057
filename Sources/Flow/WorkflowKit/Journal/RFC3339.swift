/// The times that RFC 3339 can write, in milliseconds since 1970: the years 0 to 9999.
package let writtenTimes = -62_167_219_200_000...253_402_300_799_999

/// A moment as RFC 3339 text in UTC, such as `2024-05-01T08:30:00.250Z`.
package func rfc3339(milliseconds: Int) -> String {
    func floorDivide(_ a: Int, _ b: Int) -> (Int, Int) {
        let remainder = ((a % b) + b) % b
        return ((a - remainder) / b, remainder)
    }
    func padded(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let (seconds, fraction) = floorDivide(milliseconds, 1000)
    let (days, second) = floorDivide(seconds, 86_400)
    // Days since 1970 to a date of the proleptic Gregorian calendar, counting years from 1 March,
    // so that the leap day is the last of its year.
    let (era, dayOfEra) = floorDivide(days + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    let time =
        "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    return "\(date)T\(time).\(padded(fraction, 3))Z"
}

/// The moment that ``rfc3339(milliseconds:)`` writes as `text`; `nil` for anything else.
func milliseconds(rfc3339 text: String) -> Int? {
    let bytes = Array(text.utf8)
    let form = Array("0000-00-00T00:00:00.000Z".utf8)
    guard bytes.count == form.count else { return nil }
    var numbers: [Int] = [0]
    for (byte, expected) in zip(bytes, form) {
        if expected == UInt8(ascii: "0") {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - 48)
        } else {
            guard byte == expected else { return nil }
            numbers.append(0)
        }
    }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    guard (1...12).contains(month), (1...31).contains(day), numbers[3] < 24, numbers[4] < 60,
        numbers[5] < 60
    else { return nil }
    // Years are counted from 1 March here too.
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return (((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]) * 1000 + numbers[6]
}
