import NIOCore
import NIOHTTP1

/// A request on its way, with the promise of its answer.
struct Exchange: Sendable {
    let request: LocalRequest
    let answer: EventLoopPromise<NIOHTTPClientResponseFull>
}

/// Carries out one exchange at a time on a connection.
final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = NIOHTTPClientResponseFull
    typealias OutboundIn = Exchange
    typealias OutboundOut = HTTPClientRequestPart

    private var awaited: EventLoopPromise<NIOHTTPClientResponseFull>?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        precondition(awaited == nil, "a connection carries one exchange at a time")
        awaited = exchange.answer
        context.write(wrapOutboundOut(.head(exchange.request.head)), promise: nil)
        if !exchange.request.body.isEmpty {
            let body = context.channel.allocator.buffer(bytes: exchange.request.body)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        complete { $0.succeed(unwrapInboundIn(data)) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        complete { $0.fail(error) }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        complete { $0.fail(LocalClientError.connectionLost) }
        context.fireChannelInactive()
    }

    private func complete(_ how: (EventLoopPromise<NIOHTTPClientResponseFull>) -> Void) {
        guard let promise = awaited else { return }
        awaited = nil
        how(promise)
    }
}
