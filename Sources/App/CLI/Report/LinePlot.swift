// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A line plot over time as inline SVG. Colours come from the page's style sheet, so that it suits light and dark.
struct LinePlot {
    struct Series {
        var name: String
        /// Style class: `a`, `b`; `dashed` may follow.
        var style: String
        /// Seconds and values; a gap where the value is nil.
        var points: [(x: Double, y: Double?)]
    }

    var title: String
    var unit: String
    var series: [Series]
    /// Times that are shaded, with the word that explains them.
    var spans: [(range: ClosedRange<Double>, label: String)] = []

    private static let size = (width: 720.0, height: 240.0)
    private static let margin = (left: 56.0, right: 12.0, top: 12.0, bottom: 30.0)

    var svg: String {
        let values = series.flatMap { $0.points.compactMap(\.y) }.filter(\.isFinite)
        let times = series.flatMap { $0.points.map(\.x) }
        let step = Self.step(for: values.max() ?? 1)
        let top = max(step, ((values.max() ?? 1) / step).rounded(.up) * step)
        let end = max(1, times.max() ?? 1)
        var parts = [
            "<figure><figcaption>\(escaped(title)) <span>\(escaped(unit))</span></figcaption>",
            "<svg viewBox=\"0 0 \(Int(Self.size.width)) \(Int(Self.size.height))\" role=\"img\">",
            "<title>\(escaped(title)) in \(escaped(unit)) over time</title>",
        ]
        parts += spans.map { span in
            let left = position(x: span.range.lowerBound, end: end)
            let width = position(x: min(end, span.range.upperBound), end: end) - left
            return
                "<rect class=\"span\" x=\"\(round1(left))\" y=\"\(Self.margin.top)\" width=\"\(round1(max(0, width)))\""
                + " height=\"\(Self.plotHeight)\"><title>\(escaped(span.label))</title></rect>"
                + "<text class=\"label\" x=\"\(round1(left + 4))\" y=\"\(Self.margin.top + 12)\">\(escaped(span.label))</text>"
        }
        parts += grid(step: step, top: top, end: end)
        parts += series.map { path($0, top: top, end: end) }
        parts.append("</svg>")
        parts.append("<div class=\"legend\">" + series.map(legend).joined() + "</div></figure>")
        return parts.joined(separator: "\n")
    }

    private static var plotHeight: Double { size.height - margin.top - margin.bottom }

    private func grid(step: Double, top: Double, end: Double) -> [String] {
        var parts: [String] = []
        var value = 0.0
        while value <= top + step / 2 {
            let y = round1(position(y: value, top: top))
            parts.append(
                "<line class=\"grid\" x1=\"\(Self.margin.left)\" x2=\"\(Self.size.width - Self.margin.right)\""
                    + " y1=\"\(y)\" y2=\"\(y)\"/>"
                    + "<text class=\"tick\" text-anchor=\"end\" x=\"\(Self.margin.left - 6)\" y=\"\(y + 4)\">\(label(value))</text>"
            )
            value += step
        }
        let timeStep = Self.step(for: end)
        var time = 0.0
        while time <= end {
            parts.append(
                "<text class=\"tick\" text-anchor=\"middle\" x=\"\(round1(position(x: time, end: end)))\""
                    + " y=\"\(Self.size.height - 10)\">\(label(time)) s</text>")
            time += timeStep
        }
        return parts
    }

    private func path(_ series: Series, top: Double, end: Double) -> String {
        var commands = ""
        var isDown = false
        var dots = ""
        for point in series.points {
            guard let y = point.y, y.isFinite else {
                isDown = false
                continue
            }
            let (px, py) = (round1(position(x: point.x, end: end)), round1(position(y: y, top: top)))
            commands += "\(isDown ? "L" : "M")\(px) \(py)"
            isDown = true
            let text = "\(series.name): \(label(y)) \(unit) at \(label(point.x)) s"
            dots +=
                "<circle class=\"dot \(series.style)\" cx=\"\(px)\" cy=\"\(py)\" r=\"6\"><title>\(escaped(text))</title></circle>"
        }
        return "<path class=\"line \(series.style)\" d=\"\(commands)\"/>" + dots
    }

    private func legend(_ series: Series) -> String {
        "<span><svg width=\"26\" height=\"8\"><path class=\"line \(series.style)\" d=\"M0 4L26 4\"/></svg>"
            + "\(escaped(series.name))</span>"
    }

    private func position(x: Double, end: Double) -> Double {
        Self.margin.left + x / end * (Self.size.width - Self.margin.left - Self.margin.right)
    }

    private func position(y: Double, top: Double) -> Double { Self.margin.top + (1 - y / top) * Self.plotHeight }

    private func label(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : Format.fixed(value, value < 1 ? 2 : 1)
    }

    private func round1(_ value: Double) -> Double { (value * 10).rounded() / 10 }

    /// 1, 2 or 5 times a power of ten, so that four to ten of them reach `maximum`.
    static func step(for maximum: Double) -> Double {
        guard maximum.isFinite, maximum > 0 else { return 1 }
        var magnitude = 1.0
        while magnitude * 10 <= maximum { magnitude *= 10 }
        while magnitude > maximum { magnitude /= 10 }
        let ratio = maximum / magnitude
        if ratio <= 2 { return magnitude / 5 }
        return ratio <= 5 ? magnitude / 2 : magnitude
    }
}

/// Text that a page shows as it is.
func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
        switch character {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "\"": result += "&quot;"
        default: result.append(character)
        }
    }
    return result
}
