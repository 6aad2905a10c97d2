import { WebSocket } from 'ws'
import type { SocketStream } from './socket-stream.ts'

type Answer = (stream: SocketStream, bytes: Buffer) => Promise<void>

// Enough for a client that does not wait for replies, too few to fill the memory with what it sends.
const mostWaiting = 64
const mostWaitingBytes = 1_048_576

/** The library's socket with what we keep of it: listeners of its own would cost each of ten thousand a closure. */
export class ClientSocket extends WebSocket {
  stream: SocketStream | undefined = undefined
  #answering: Promise<void> | undefined = undefined
  #waiting = 0
  #waitingBytes = 0

  /** It is this stream's socket from now on. */
  serve(stream: SocketStream) {
    this.stream = stream
    stream.accept(this)
    this.on('pong', onPong)
  }

  /** The library closes too, as when the client does: nothing may be sent behind a close frame. */
  override close(code?: number, reason?: string | Buffer) {
    super.close(code, reason)
    this.stream?.end('left')
  }

  /** Messages of one client are answered one after another, in their order. */
  receive(bytes: Buffer, answer: Answer) {
    const { stream } = this
    if (!stream?.isOpen) return
    this.#count(1, bytes.length)
    const before = this.#answering ?? Promise.resolve()
    this.#answering = before
      .then(() => (stream.isHeard ? answer(stream, bytes) : undefined))
      .then(() => this.#count(-1, -bytes.length))
  }

  #count(messages: number, bytes: number) {
    this.#waiting += messages
    this.#waitingBytes += bytes
    const isFull = this.#waiting >= mostWaiting || this.#waitingBytes >= mostWaitingBytes
    const isHalfFull = this.#waiting > mostWaiting / 2 || this.#waitingBytes > mostWaitingBytes / 2
    if (isFull) this.#stopReading()
    else if (!isHalfFull && this.isPaused) this.resume()
    // A chain that has come to its end is not kept.
    if (this.#waiting === 0) this.#answering = undefined
  }

  /** A pong that is on its way is not read either: it is not missed for that. */
  #stopReading() {
    this.pause()
    this.stream?.answered()
  }
}

/** It belongs to no socket, so that all of them share it. */
function onPong(this: WebSocket) {
  ;(this as ClientSocket).stream?.answered()
}
