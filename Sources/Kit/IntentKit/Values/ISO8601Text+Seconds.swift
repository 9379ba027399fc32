/// The numeric values of texts that were checked.
extension ISO8601Text {
    /// Days from 1970-01-01 to a date that ``date(_:)`` has accepted.
    static func daysSince1970(_ bytes: ArraySlice<UInt8>) -> Int {
        let digits = Array(bytes)
        let year = Int(Self.digits(digits[0..<4]))
        let month = Int(Self.digits(digits[5..<7]))
        let day = Int(Self.digits(digits[8..<10]))
        // Howard Hinnant's `days_from_civil`.
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Seconds since midnight of a time that ``time(_:)`` has accepted.
    static func secondsOfDay(_ bytes: ArraySlice<UInt8>) -> Double {
        let text = Array(bytes)
        let seconds = text.count > 6 ? Double(String(decoding: text[6...], as: UTF8.self)) ?? 0 : 0
        return Self.digits(text[0..<2]) * 3_600 + Self.digits(text[3..<5]) * 60 + seconds
    }

    /// Seconds of a duration that ``isDuration(_:)`` has accepted.
    static func seconds(ofDuration text: String) -> Double {
        let lengths: [Character: Double] = ["W": 604_800, "D": 86_400, "H": 3_600, "M": 60, "S": 1]
        var seconds = 0.0
        var number = ""
        for character in text.dropFirst() where character != "T" {
            if let length = lengths[character] {
                seconds += (Double(number) ?? 0) * length
                number = ""
            } else {
                number.append(character)
            }
        }
        return seconds
    }

    private static func digits(_ bytes: ArraySlice<UInt8>) -> Double {
        bytes.reduce(0) { $0 * 10 + Double($1) - 48 }
    }
}
