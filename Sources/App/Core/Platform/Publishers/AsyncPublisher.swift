// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

extension Publisher where Failure == Never, Output: Sendable {
    /// The values as an asynchronous sequence. A loop that falls behind by more than 64 values misses the oldest.
    public var values: AsyncPublisher<Output> { values(buffering: 64) }

    /// The values as an asynchronous sequence. A loop that falls behind by more than `count` values misses the oldest.
    public func values(buffering count: Int) -> AsyncPublisher<Output> {
        AsyncPublisher(eraseToAnyPublisher(), count: max(1, count))
    }
}

/// A publisher's values as an asynchronous sequence. Each loop over it follows the publisher anew, and stops following
/// when it ends.
public struct AsyncPublisher<Element: Sendable>: AsyncSequence, Sendable {
    private let publisher: AnyPublisher<Element, Never>
    private let count: Int

    init(_ publisher: AnyPublisher<Element, Never>, count: Int) {
        self.publisher = publisher
        self.count = count
    }

    /// Starts to follow the publisher.
    public func makeAsyncIterator() -> AsyncStream<Element>.Iterator {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(count))
        let subscription = publisher.sink(
            receiveCompletion: { _ in continuation.finish() },
            receiveValue: { continuation.yield($0) })
        continuation.onTermination = { _ in subscription.cancel() }
        return stream.makeAsyncIterator()
    }
}
