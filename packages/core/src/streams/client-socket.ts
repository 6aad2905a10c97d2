import { WebSocket } from 'ws'
import type { SocketStream } from './socket-stream.ts'

type Answer = (stream: SocketStream, bytes: Buffer) => Promise<void>

// Enough for a client that does not wait for replies, too few to fill the memory with what it sends.
const mostWaiting = 64

/** The library's socket with what we keep of it: listeners of its own would cost each of ten thousand a closure. */
export class ClientSocket extends WebSocket {
  stream: SocketStream | undefined = undefined
  #answering: Promise<void> | undefined = undefined
  #waiting = 0

  /** Messages of one client are answered one after another, in their order. */
  receive(bytes: Buffer, answer: Answer) {
    const { stream } = this
    if (!stream?.isOpen) return
    this.#waiting += 1
    if (this.#waiting === mostWaiting) this.pause()
    const before = this.#answering ?? Promise.resolve()
    this.#answering = before.then(() => answer(stream, bytes)).then(() => this.#answered())
  }

  #answered() {
    this.#waiting -= 1
    if (this.#waiting === mostWaiting / 2) this.resume()
    // A chain that has come to its end is not kept.
    if (this.#waiting === 0) this.#answering = undefined
  }
}
