import { WebSocket } from 'ws'
import type { SocketStream } from './socket-stream.ts'

type Answer = (stream: SocketStream, bytes: Buffer) => Promise<void>

// Enough for a client that does not wait for replies, but too few to fill the memory with its
// messages.
const mostWaiting = 64
const mostWaitingBytes = 1_048_576

interface Waiting {
  messages: number
  bytes: number
  answering: Promise<void>
}

/**
 * The library's socket with our own fields: each field, and each listener, exists ten thousand
 * times.
 */
export class ClientSocket extends WebSocket {
  stream: SocketStream | undefined = undefined
  /** Undefined while no message waits for its answer, as on most sockets. */
  #waiting: Waiting | undefined = undefined

  /** From now on, it is this stream's socket. */
  serve(stream: SocketStream) {
    this.stream = stream
    stream.accept(this)
    this.on('pong', onPong)
  }

  /**
   * The library closes too, for example when the client does: nothing may be sent after a close
   * frame.
   */
  override close(code?: number, reason?: string | Buffer) {
    super.close(code, reason)
    this.stream?.end('left')
  }

  /** Messages of one client are answered one after another, in their order. */
  receive(bytes: Buffer, answer: Answer) {
    const { stream } = this
    if (!stream?.isOpen) return
    const waiting = (this.#waiting ??= { messages: 0, bytes: 0, answering: Promise.resolve() })
    this.#count(waiting, 1, bytes.length)
    waiting.answering = waiting.answering
      .then(() => (stream.isHeard ? answer(stream, bytes) : undefined))
      .then(() => this.#count(waiting, -1, -bytes.length))
  }

  #count(waiting: Waiting, messages: number, bytes: number) {
    waiting.messages += messages
    waiting.bytes += bytes
    const isOver = (share: number) =>
      waiting.messages >= mostWaiting * share || waiting.bytes >= mostWaitingBytes * share
    if (isOver(1)) this.#stopReading()
    else if (!isOver(1 / 2) && this.isPaused) this.resume()
    if (waiting.messages === 0) this.#waiting = undefined
  }

  /** While it is paused, a pong is not read either, so it must not count as missing. */
  #stopReading() {
    this.pause()
    this.stream?.answered()
  }
}

/** It belongs to no socket, so that all of them share it. */
function onPong(this: WebSocket) {
  ;(this as ClientSocket).stream?.answered()
}
