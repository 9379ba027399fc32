/// Numbers in digits and words.
extension Tape {
    /// A number with a sign, decimals or a fraction, and its other reading if the marks leave two.
    func numbers(at start: Int) -> [Found<Quantity>] {
        var index = start
        var isNegative = false
        if let first = self[start], first.has(.minus) || first.isMark("-") || first.isMark("+") {
            isNegative = !first.isMark("+")
            index += 1
        }
        return self.unsigned(at: index).map { Found(isNegative ? $0.value.negated : $0.value, end: $0.end) }
    }

    /// The preferred reading of a number without a sign; without a suffix, `k` and `m` after digits are not read.
    func number(at start: Int, hasSuffix: Bool = true) -> Found<Quantity>? {
        self.unsigned(at: start, hasSuffix: hasSuffix).first
    }

    private func unsigned(at start: Int, hasSuffix: Bool = true) -> [Found<Quantity>] {
        if let fraction = self.writtenFraction(at: start) { return [fraction] }
        if let mixed = self.mixedFraction(at: start) { return [mixed] }
        if let part = self.partOfScale(at: start) { return [part] }
        let literals = self.literals(at: start)
        if literals.count == 1, let whole = literals[0].value.whole, literals[0].value.decimals == 0,
            let found = self.withDecimals(Found(whole, end: literals[0].end))
        {
            return [found]
        }
        if !literals.isEmpty { return literals.compactMap { self.scaled($0, hasSuffix: hasSuffix) } }
        guard let found = self.spokenNumber(at: start) else { return [] }
        return [found]
    }

    /// `3/4`.
    private func writtenFraction(at start: Int) -> Found<Quantity>? {
        guard let count = self[start]?.digits, self.isMark("/", at: start + 1), let of = self[start + 2]?.digits,
            (1...1_000).contains(of), self[start + 2]?.isGlued ?? false, !self.isMark("/", at: start + 3)
        else { return nil }
        return Found(Quantity(count, divisor: of), end: start + 3)
    }

    /// `1 1/2`.
    private func mixedFraction(at start: Int) -> Found<Quantity>? {
        guard let whole = self[start]?.digits, let fraction = self.writtenFraction(at: start + 1),
            fraction.value.digits < fraction.value.divisor,
            let sum = Quantity(whole).plus(fraction.value.digits, of: fraction.value.divisor)
        else { return nil }
        return Found(sum, end: fraction.end)
    }

    /// "Half a million", `eineinhalb Milliarden`, "five and a half million".
    private func partOfScale(at start: Int) -> Found<Quantity>? {
        let isOne = self[start]?.number == 1 && self[start + 1]?.fraction != nil
        var quantity: Quantity?
        var index = start
        if let fraction = self.fraction(at: isOne ? start + 1 : start) {
            quantity = Quantity(fraction.value.count, divisor: fraction.value.of)
            index = fraction.end
        } else if let halves = self[start]?.halves {
            quantity = Quantity(halves, divisor: 2)
            index = start + 1
        } else if let whole = self[start]?.number ?? self[start]?.digits, let half = self.andHalf(at: start + 1) {
            quantity = Quantity(whole).plus(half.value.count, of: half.value.of)
            index = half.end
        }
        index = self.skipping(.of, from: index)
        if self[index]?.number == 1 { index += 1 }
        guard let scale = self[index]?.scale, scale >= 1_000, let product = quantity?.times(scale) else { return nil }
        return Found(product, end: index + 1)
    }

    // MARK: Digits

    /// A number in digits with marks.
    private func literals(at start: Int) -> [Found<Quantity>] {
        var groups: [(value: Int, count: Int)] = []
        var marks: [Character] = []
        var index = start
        if let first = self[start], first.isMark(".") || first.isMark(","), let next = self[start + 1], next.isGlued,
            let digits = next.digits
        {
            // `.77`
            return [Found(Quantity(digits, decimals: next.count), end: start + 2)]
        }
        guard let first = self[start], let digits = first.digits else { return [] }
        groups.append((digits, first.count))
        index += 1
        while let (mark, next) = self.group(at: index), groups.count < 8 {
            marks.append(mark)
            groups.append((next.digits ?? 0, next.count))
            index += mark == " " ? 1 : 2
        }
        return Self.quantities(groups, marks, self.region.marks).map { Found($0, end: index) }
    }

    /// A mark and the digits after it.
    private func group(at index: Int) -> (Character, Lexeme)? {
        guard let mark = self[index] else { return nil }
        if mark.digits != nil {
            let isGroup = !mark.isGlued && mark.count == 3 && self.region.marks.groups.contains(" ")
            return isGroup && self[index - 1].map { $0.count <= 3 } ?? false ? (" ", mark) : nil
        }
        guard mark.isGlued, mark.isMark("'") || mark.isMark(".") || mark.isMark(","), let next = self[index + 1],
            next.isGlued, next.digits != nil
        else { return nil }
        return (mark.text.first ?? ".", next)
    }

    /// The readings of groups of digits with marks between them, the likeliest first.
    private static func quantities(
        _ groups: [(value: Int, count: Int)],
        _ marks: [Character],
        _ usual: NumberMarks
    ) -> [Quantity] {
        guard let last = marks.last, let tail = groups.last else { return [Quantity(groups[0].value)] }
        let isGrouped = groups.dropFirst().allSatisfy { $0.count == 3 } && groups[0].count <= 3
        let whole = isGrouped ? Self.joined(groups[...]).map { Quantity($0) } : nil
        let isAlike = marks.allSatisfy { $0 == last }
        if marks.count > 1, isAlike { return whole.map { [$0] } ?? [] }
        let head = groups.dropLast()
        guard last != " ", last != "'", marks.dropLast().allSatisfy({ $0 != last }),
            head.dropFirst().allSatisfy({ $0.count == 3 }), let power = Quantity.power(tail.count),
            let front = Self.joined(head), !front.multipliedReportingOverflow(by: power).overflow
        else { return whole.map { [$0] } ?? [] }
        let decimal = Quantity(front * power + tail.value, decimals: tail.count)
        guard marks.count == 1, let whole, groups[0].value != 0 else { return [decimal] }
        // One mark before three digits: the usual mark of groups is one, any other may be either.
        return usual.groups.contains(last) ? [whole] : [decimal, whole]
    }

    private static func joined(_ groups: ArraySlice<(value: Int, count: Int)>) -> Int? {
        var value = 0
        for group in groups {
            guard let power = Quantity.power(group.count) else { return nil }
            let (shifted, isOver) = value.multipliedReportingOverflow(by: power)
            guard !isOver else { return nil }
            value = shifted + group.value
        }
        return value
    }

    /// A number in digits with what multiplies it: `1.2M`, `3 million`.
    private func scaled(_ found: Found<Quantity>, hasSuffix: Bool = true) -> Found<Quantity>? {
        if hasSuffix, let next = self[found.end], let scale = next.suffixScale, next.isGlued || next.unit == nil {
            return found.value.times(scale).map { Found($0, end: found.end + 1) }
        }
        guard let scale = self[found.end]?.scale else { return found }
        if found.value.decimals == 0, let whole = found.value.whole {
            // `4 millones 2 mil 3` continues as words do.
            return self.cardinal(at: found.end, group: whole).map { Found(Quantity($0.value), end: $0.end) }
        }
        var product = found.value.times(scale)
        var index = found.end + 1
        while let scale = self[index]?.scale {
            product = product?.times(scale)
            index += 1
        }
        return product.map { Found($0, end: index) }
    }

    // MARK: Words

    /// A number in words, with decimals or a fraction in words.
    private func spokenNumber(at start: Int) -> Found<Quantity>? {
        if let halves = self[start]?.halves { return Found(Quantity(halves, divisor: 2), end: start + 1) }
        var found: Found<Quantity>
        if let whole = self.cardinal(at: start) {
            found = Found(Quantity(whole.value), end: whole.end)
        } else if self.has(.decimalPoint, at: start) {
            found = Found(Quantity(0), end: start)
        } else {
            return nil
        }
        let whole = found.value.whole.map { Found($0, end: found.end) }
        if let decimal = whole.flatMap(self.withDecimals) { return decimal }
        return found.end > start ? found : nil
    }

    /// A number with the decimals that are said after it.
    private func withDecimals(_ whole: Found<Int>) -> Found<Quantity>? {
        guard self.has(.decimalPoint, at: whole.end), let decimals = self.decimals(at: whole.end + 1),
            let power = Quantity.power(decimals.value.decimals),
            !whole.value.multipliedReportingOverflow(by: power).overflow
        else { return nil }
        let value = Quantity(whole.value * power + decimals.value.digits, decimals: decimals.value.decimals)
        return self.scaled(Found(value, end: decimals.end))
    }

    /// Decimals in digits or words: `1 point 1`, `Komma fünfzehn`.
    private func decimals(at start: Int) -> Found<Quantity>? {
        if let lexeme = self[start], let digits = lexeme.digits {
            return Found(Quantity(digits, decimals: lexeme.count), end: start + 1)
        }
        var digits = 0
        var count = 0
        var index = start
        while count < 12, let found = self.decimal(at: index) {
            let width = String(found.value).utf8.count
            digits = (0..<width).reduce(digits) { value, _ in value * 10 } + found.value
            count += width
            index = found.end
        }
        return count > 0 ? Found(Quantity(digits, decimals: count), end: index) : nil
    }

    /// A number below a hundred, without what multiplies it.
    private func decimal(at index: Int) -> Found<Int>? {
        // `nought three` are two digits.
        if self[index]?.number == 0 { return Found(0, end: index + 1) }
        if let found = self.cardinal(at: index), found.value < 100 { return found }
        return self[index]?.number.map { Found($0, end: index + 1) }
    }

    /// A whole number in words, or one that continues a number in digits: `5 tausend`.
    func cardinal(at start: Int, group: Int? = nil) -> Found<Int>? {
        var sum = NumberSum(habits: self.language.habits)
        sum.group = group
        var index = start
        var end = group == nil ? nil : Optional(start)
        while let lexeme = self[index] {
            if sum.add(lexeme, isFirst: end == nil) {
                index += 1
                end = index
            } else if lexeme.has(.and), end != nil, let next = self[index + 1] {
                // `quatre cent et trois`, `einundzwanzig`; the word before a number that does not fit ends this one.
                var tried = sum
                tried.hasAnd = true
                guard tried.add(next, isFirst: false) else { break }
                sum = tried
                index += 2
                end = index
            } else {
                break
            }
        }
        guard let end, let total = sum.total else { return nil }
        return Found(total, end: end)
    }

    /// An ordinal: `3rd`, `third`, `twenty-fifth`, and `3.` where a point marks ordinals.
    func ordinal(at start: Int, withPoint: Bool = false) -> Found<Int>? {
        guard let first = self[start] else { return nil }
        if let digits = first.digits {
            if let mark = self[start + 1], mark.isGlued, mark.has(.ordinalMark) { return Found(digits, end: start + 2) }
            let isPoint =
                withPoint && self.isMark(".", at: start + 1) && (self[start + 1]?.isGlued ?? false)
                && !(self[start + 2].map { $0.isGlued && $0.digits != nil } ?? false)
            return isPoint ? Found(digits, end: start + 2) : nil
        }
        var sum = NumberSum(habits: self.language.habits)
        var index = start
        while let lexeme = self[index] {
            // A plain word may also be a unit or a fraction; a compound is an ordinal only at its end.
            if let ordinal = lexeme.ordinal, sum.add(ordinal) {
                return sum.total.map { Found($0, end: index + 1) }
            }
            if lexeme.has(.and), index > start {
                sum.hasAnd = true
                index += 1
                continue
            }
            guard sum.add(lexeme, isFirst: index == start), lexeme.digits == nil else { return nil }
            index += 1
        }
        return nil
    }
}

/// Adds the words of a number.
private struct NumberSum {
    let habits: Language.Habits
    /// What was multiplied by a thousand or more, in descending order.
    private var terms: [(value: Int, scale: Int)] = []
    /// What is below a thousand, and not yet multiplied.
    var group: Int?
    var hasAnd = false

    init(habits: Language.Habits) { self.habits = habits }

    /// The sum; nil beyond the range.
    var total: Int? {
        self.terms.reduce(Optional(self.group ?? 0)) { sum, term in
            let (sum, isOver) = sum?.addingReportingOverflow(term.value) ?? (0, true)
            return isOver ? nil : sum
        }
    }

    mutating func add(_ lexeme: Lexeme, isFirst: Bool) -> Bool {
        if let scale = lexeme.scale { return self.multiply(scale) }
        if let number = lexeme.number { return self.add(number) }
        // `trente 3`
        if let digits = lexeme.digits, !isFirst, !lexeme.isGlued, lexeme.count == 1 { return self.add(digits) }
        // "3 hundred and 21"
        if let digits = lexeme.digits, self.hasAnd, !lexeme.isGlued, lexeme.count == 2 { return self.add(digits) }
        // `4 millones 2 mil 3`
        if let digits = lexeme.digits, !isFirst, !self.terms.isEmpty, self.group == nil, lexeme.count <= 3 {
            return self.add(digits)
        }
        return false
    }

    mutating func add(_ number: Int) -> Bool {
        defer { self.hasAnd = false }
        guard let group else {
            self.group = number
            return number < 1_000
        }
        let tail = group % 100
        let fits =
            switch number {
            case ..<0, 1_000...: false
            case 100...: false
            case _ where group == 0: number < 10
            case _ where tail == 0: true
            case ..<10 where tail >= 20 && tail % 10 == 0: number > 0
            case 7...9 where tail == 10 && self.habits.saysSums: true
            // `diez y seis`
            case ..<10 where tail == 10 && self.habits.saysSums: self.hasAnd && number > 0
            case 10...19 where self.habits.saysSums: tail == 60 || tail == 80
            case 20...99 where tail < 10 && self.habits.saysUnitsBeforeTens: self.hasAnd && number % 10 == 0
            default: false
            }
        if !fits, self.habits.saysSums, tail == 4, number == 20, !self.hasAnd {
            // `quatre-vingts`
            self.group = group + 76
            return true
        }
        guard fits else { return false }
        self.group = group + number
        return true
    }

    private mutating func multiply(_ scale: Int) -> Bool {
        if scale == 100 {
            guard let group else {
                self.group = 100
                return true
            }
            guard group > 0, group < 100, !self.hasAnd else {
                // `hundertundhundert` is none; "thousand one hundred" has no group.
                return false
            }
            self.group = group * 100
            return true
        }
        guard self.terms.last?.scale != scale else { return false }
        // `three thousand millions`: a larger scale multiplies the smaller ones before it, and a dozen all of them.
        var base = self.group
        while let last = self.terms.last, last.scale < scale || scale == 12 {
            let (sum, isOver) = (base ?? 0).addingReportingOverflow(last.value)
            guard !isOver else { return false }
            base = sum
            self.terms.removeLast()
        }
        let (product, isOver) = (base ?? 1).multipliedReportingOverflow(by: scale)
        guard !isOver, product > 0 else { return false }
        self.terms.append((product, scale))
        self.group = nil
        return true
    }
}
