// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// The report as one HTML file that needs nothing else: styles, plots and picture are inside.
struct ReportPage {
    var report: CallReport

    var html: String {
        let verdict =
            report.failed.isEmpty
            ? "<p class=\"verdict ok\">Every check held.</p>"
            : "<p class=\"verdict bad\">Failed: \(escaped(report.failed.map(\.name).joined(separator: ", ")))</p>"
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(escaped(report.title))</title>
            <style>\(Self.style)</style></head><body>
            <h1>\(escaped(report.title))</h1>
            \(verdict)
            <section><h2>Both directions</h2>\(table)</section>
            <section><h2>Over time</h2>\(plots)</section>
            <section><h2>Checks</h2>\(checks)</section>
            \(picture)
            <section><h2>What happened</h2>\(steps)</section>
            <section><h2>How this was measured</h2><ul>
            \(report.method.map { "<li>\(escaped($0))</li>" }.joined(separator: "\n"))
            </ul></section>
            </body></html>

            """
    }

    private var table: String {
        let head = report.table.header.map { "<th>\(escaped($0))</th>" }.joined()
        let body = report.table.rows.map { row in
            "<tr>" + row.enumerated().map { $0 == 0 ? "<th>\(escaped($1))</th>" : "<td>\(escaped($1))</td>" }.joined()
                + "</tr>"
        }
        return "<table><thead><tr>\(head)</tr></thead><tbody>\(body.joined(separator: "\n"))</tbody></table>"
    }

    private var plots: String {
        let spans = report.directions.flatMap { direction in
            direction.muted.map { (range: $0, label: "camera muted (\(direction.title))") }
        }
        func plot(_ title: String, _ unit: String, _ value: (SecondSample) -> Double?) -> String {
            let series = zip(report.directions, ["a", "b"]).map { direction, style in
                LinePlot.Series(
                    name: direction.title, style: style, points: direction.seconds.map { ($0.time, value($0)) })
            }
            return LinePlot(title: title, unit: unit, series: series, spans: spans).svg
        }
        let latency = zip(report.directions, ["a", "b"]).flatMap { direction, style in
            [
                LinePlot.Series(
                    name: "\(direction.title), median", style: style,
                    points: direction.seconds.map { ($0.time, $0.latencyMedian) }),
                LinePlot.Series(
                    name: "\(direction.title), 95th percentile", style: style + " dashed",
                    points: direction.seconds.map { ($0.time, $0.latencyP95) }),
            ]
        }
        return plot("Pictures shown", "fps") { $0.fps }
            + plot("Media bitrate", "kbit/s") { $0.kilobits }
            + LinePlot(title: "Glass to glass", unit: "ms", series: latency, spans: spans).svg
            + plot("Processor, whole receiving process", "% of a core") { $0.cpu }
    }

    private var checks: String {
        let rows = report.checks.map { check in
            "<tr class=\"\(check.passed ? "ok" : "bad")\"><th>\(escaped(check.name))</th>"
                + "<td>\(escaped(check.measured))</td><td>\(escaped(check.limit))</td>"
                + "<td class=\"mark\">\(check.passed ? "holds" : "fails")</td></tr>"
        }
        return "<table><thead><tr><th>Check</th><th>Measured</th><th>Must be</th><th></th></tr></thead><tbody>"
            + rows.joined(separator: "\n") + "</tbody></table>"
    }

    private var picture: String {
        guard let snapshot = report.snapshot else { return "" }
        return "<section><h2>A received picture</h2><img alt=\"a decoded picture of the call\""
            + " src=\"data:image/png;base64,\(snapshot)\"></section>"
    }

    private var steps: String {
        let rows = report.steps.map { step in
            "<tr><td>\(Format.fixed(step.time, 2)) s</td><th>\(escaped(step.who))</th><td class=\"text\">\(escaped(step.text))</td></tr>"
        }
        return "<table class=\"steps\"><tbody>" + rows.joined(separator: "\n") + "</tbody></table>"
    }

    private static let style = """
        :root { --ink:#1d2327; --quiet:#66717a; --paper:#fbfaf7; --card:#fff; --line:#e2e0da; --a:#0b6e99; --b:#c4581a;
          --ok:#2f7d4f; --bad:#b3261e; --span:#8881; }
        @media (prefers-color-scheme: dark) { :root { --ink:#e8e6e1; --quiet:#9aa4ab; --paper:#15181a; --card:#1d2124;
          --line:#33393d; --a:#5bc0eb; --b:#f4a261; --ok:#7bc99a; --bad:#ff8a80; --span:#fff1; } }
        * { box-sizing:border-box }
        body { margin:0 auto; max-width:60rem; padding:2rem 1.25rem 4rem; background:var(--paper); color:var(--ink);
          font:16px/1.5 system-ui, "Segoe UI", "Noto Sans", sans-serif }
        h1 { font-size:1.7rem; line-height:1.2; margin:0 0 .5rem } h2 { font-size:1.1rem; margin:2.2rem 0 .6rem }
        .verdict { margin:0; font-weight:600 } .verdict.ok { color:var(--ok) } .verdict.bad { color:var(--bad) }
        section { overflow-x:auto }
        table { border-collapse:collapse; width:100%; background:var(--card); border:1px solid var(--line);
          font-variant-numeric:tabular-nums; font-size:.92rem }
        th, td { padding:.35rem .75rem; border-bottom:1px solid var(--line); text-align:right; vertical-align:top }
        th:first-child, .steps th, .steps .text { text-align:left } tbody th { font-weight:500 }
        thead th { color:var(--quiet); font-weight:600 } tr:last-child > * { border-bottom:0 }
        tr.ok .mark { color:var(--ok) } tr.bad .mark { color:var(--bad); font-weight:700 }
        .steps td:first-child { width:5.5rem; color:var(--quiet) } .steps th { width:5rem }
        .steps .text { width:auto } img { max-width:100%; border:1px solid var(--line) }
        figure { margin:0 0 1rem; padding:.8rem 1rem; background:var(--card); border:1px solid var(--line) }
        figcaption { font-weight:600 } figcaption span { color:var(--quiet); font-weight:400 }
        figure > svg { width:100%; height:auto; display:block }
        .grid { stroke:var(--line) } .tick, .label { fill:var(--quiet); font-size:12px } .span { fill:var(--span) }
        .line { fill:none; stroke-width:2; stroke-linejoin:round } .line.a { stroke:var(--a) } .line.b { stroke:var(--b) }
        .dashed { stroke-dasharray:5 4 } .dot { fill:transparent } .dot.a:hover { fill:var(--a) } .dot.b:hover { fill:var(--b) }
        .legend { display:flex; flex-wrap:wrap; gap:.2rem 1.4rem; font-size:.88rem } .legend svg { margin-right:.4rem }
        ul { padding-left:1.2rem }
        """
}
