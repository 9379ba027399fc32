/// Amounts of money.
extension Tape {
    /// A number and a currency in either order, with cents; two readings if the number has two.
    func money() -> [(amount: Quantity, code: String)] {
        // Money has two decimals: three digits after a mark are rather thousands.
        self.amounts().reversed()
    }

    private func amounts() -> [(amount: Quantity, code: String)] {
        var start = self.skipping(.about, from: 0)
        // `a grand`
        if self[start]?.number == 1, let coin = self.coin(at: start + 1) {
            return [(Quantity(coin.cents, decimals: 2), coin.code)]
        }
        // `a US$4.7 billion`
        if self[start]?.number == 1, self.currency(at: start + 1) != nil, self[start + 2] != nil,
            self[start + 2]?.digits != nil
        {
            start += 1
        }
        if let currency = self.currency(at: start) {
            return self.numbers(at: currency.end).compactMap { self.amount($0.value, currency.value, at: $0.end) }
        }
        // `-$12`
        if self[start].map({ $0.isMark("-") || $0.has(.minus) }) ?? false, let currency = self.currency(at: start + 1) {
            return self.numbers(at: currency.end)
                .compactMap { self.amount($0.value.negated, currency.value, at: $0.end) }
        }
        if let coin = self.coin(at: start), self[start]?.coin != nil {
            return [(Quantity(coin.cents, decimals: 2), coin.code)]
        }
        return self.numbers(at: start)
            .compactMap { number in
                if let coin = self.coin(at: number.end) {
                    return number.value.times(coin.cents)?.hundredth.map { ($0, coin.code) }
                }
                if let cents = self.cents(at: number.end), self.isOver(at: cents.end) {
                    return number.value.hundredth.map { ($0, cents.value ?? self.region.currency) }
                }
                let end = self.skipping(.of, from: self.skippingDash(number.end))
                guard let currency = self.currency(at: end) else { return nil }
                return self.amount(number.value, currency.value, at: currency.end)
            }
    }

    /// `20,-`: no cents.
    private func skippingDash(_ index: Int) -> Int {
        let dash = self.isMark(".", at: index) ? index + 1 : index
        return self.isMark("-", at: dash) ? dash + 1 : index
    }

    /// The cents of a coin at the end.
    private func coin(at index: Int) -> (cents: Int, code: String)? {
        guard let lexeme = self[index], self.isOver(at: index + 1) else { return nil }
        if lexeme.has(.thousand) { return (100_000, self.region.currency) }
        return lexeme.coin.map { ($0, self.region.dollar) }
    }

    private func isOver(at index: Int) -> Bool { self.skipping(.about, from: index) == self.end }

    /// The amount with the cents that follow it: `20 dollars and 43 cents`, `3 GBP 1 pence`, `20 Euro 43`.
    private func amount(_ amount: Quantity, _ code: String, at index: Int) -> (amount: Quantity, code: String)? {
        if self.isOver(at: index) { return (amount, code) }
        let next = self.skipping(.and, .decimalPoint, from: index)
        guard let whole = amount.whole, amount.decimals == 0, whole >= 0, let cents = self.number(at: next),
            let count = cents.value.whole, cents.value.decimals == 0, (0..<100).contains(count)
        else { return nil }
        let end = self.cents(at: cents.end)?.end ?? cents.end
        let (digits, isOver) = whole.multipliedReportingOverflow(by: 100)
        guard self.isOver(at: end), !isOver else { return nil }
        return (Quantity(digits + count, decimals: 2), code)
    }

    private func cents(at index: Int) -> Found<String?>? {
        guard let lexeme = self[index] else { return nil }
        return lexeme.first { if case .cents(let code) = $0 { Found(code, end: index + 1) } else { nil } }
    }

    private func currency(at index: Int) -> Found<String>? {
        guard let lexeme = self[index] else { return nil }
        let end = index + 1
        if let code = lexeme.currency { return Found(code, end: end) }
        if lexeme.has(.dollar) { return Found(self.region.dollar, end: end) }
        let code = lexeme.text.uppercased()
        guard Self.codes.contains(code) else { return nil }
        // `AUD$ 15`
        return Found(code, end: self.has(.dollar, at: end) && self[end]?.text == "$" ? end + 1 : end)
    }

    /// Codes of ISO 4217 that are in use.
    private static let codes = Set(
        """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF \
        CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG \
        HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA \
        MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD \
        RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX \
        USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL
        """
        .split(separator: " ").map(String.init)
    )
}

extension Quantity {
    /// A hundredth of it, in decimals.
    fileprivate var hundredth: Self? {
        self.divisor == 1 ? Self(self.digits, decimals: self.decimals + 2) : nil
    }
}
