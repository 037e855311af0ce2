// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import Testing

@testable import revue

@Suite struct ReportTests {
    private func report(passed: Bool) -> CallReport {
        let seconds = (1...5).map {
            SecondSample(
                time: Double($0), fps: 15, kilobits: 900, latencyMedian: $0 == 3 ? nil : 8, latencyP95: 12, cpu: 20)
        }
        return CallReport(
            title: "A call <1>", steps: [.init(time: 1.5, who: "Alice", text: "accepts & waits")],
            directions: [
                .init(title: "Alice → Bob", options: "default", seconds: seconds, muted: [2...4]),
                .init(title: "Bob → Alice", options: "low latency", seconds: seconds, muted: []),
            ],
            table: TextTable(header: ["", "Alice → Bob"], rows: [["PSNR", "36.1 dB"]]),
            checks: [.init(name: "pictures shown", measured: "70", limit: "≥ 60", passed: passed)],
            method: ["Read from decoded pixels."], snapshot: "AAAA")
    }

    @Test func `the page stands alone and escapes what it shows`() {
        let html = ReportPage(report: report(passed: true)).html
        #expect(html.contains("A call &lt;1&gt;") && html.contains("accepts &amp; waits"))
        #expect(!html.contains("http") && !html.contains("<script") && !html.contains("<link"))
        #expect(html.contains("data:image/png;base64,AAAA"))
        #expect(html.contains("prefers-color-scheme: dark"))
    }

    @Test func `the page has a plot of rate, bitrate, latency and processor with both directions`() {
        let html = ReportPage(report: report(passed: true)).html
        #expect(html.count(of: "<figure>") == 4)
        #expect(html.count(of: "class=\"line a\"") == 8 && html.count(of: "class=\"line b\"") == 8)
        #expect(html.count(of: "class=\"line a dashed\"") == 2)
    }

    @Test func `a failed check is named at the top`() {
        #expect(ReportPage(report: report(passed: false)).html.contains("Failed: pictures shown"))
        #expect(ReportPage(report: report(passed: true)).html.contains("Every check held."))
        #expect(report(passed: false).failed.map(\.name) == ["pictures shown"])
    }

    @Test func `a plot has a gap where nothing was measured`() {
        let plot = LinePlot(
            title: "t", unit: "u",
            series: [.init(name: "s", style: "a", points: [(0, 1), (1, nil), (2, 3), (3, .nan), (4, 2), (5, 2)])])
        let path = plot.svg.split(separator: "\n").first { $0.contains("<path class=\"line a\" d=\"M5") } ?? ""
        let commands = path.split(separator: "\"")[3]
        #expect(commands.filter { $0 == "M" }.count == 3)
        #expect(commands.filter { $0 == "L" }.count == 1)
    }

    @Test(arguments: [0.0, 0.7, 1, 1.3, 2, 4.9, 7, 15, 30, 950, 3000])
    func `an axis has a round step that fits two to ten times`(maximum: Double) {
        let step = LinePlot.step(for: maximum)
        let steps = max(maximum, step) / step
        #expect((1...10).contains(steps.rounded(.up)))
        var digits = step
        while digits < 1 { digits *= 10 }
        while digits >= 10 { digits /= 10 }
        #expect([1, 2, 5].contains { abs($0 - digits) < 1e-9 })
    }

    @Test func `columns of a table line up`() {
        let lines = TextTable(header: ["", "one", "two"], rows: [["fps", "15.0", "–"], ["a longer name", "1"]]).lines
        #expect(lines.count == 4)
        #expect(Set(lines.map(\.count)).count == 1)
        #expect(lines[2].hasPrefix("fps "))
        #expect(lines[2].hasSuffix(" –"))
    }
}

extension String {
    /// How often a piece occurs.
    fileprivate func count(of piece: String) -> Int { ranges(of: piece).count }
}
