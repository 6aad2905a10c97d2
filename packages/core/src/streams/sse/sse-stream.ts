import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Keeper, type ServerReason, Stream } from '../delivery/stream.ts'
import { pingBytes } from './sse-frames.ts'

export interface SseLimits {
  readonly maxQueue: number
  readonly maxBufferedBytes: number
}

// A reader that reads nothing can't get a last message.
const farewellMillis = 2000

/**
 * How long clients are asked to wait when the server stops, so that they do not reconnect all at
 * once.
 */
const spreadMillis = 10_000

const retryFrame = () => `retry: ${Math.floor(Math.random() * spreadMillis)}\n\n`

/** Server-sent events on the socket of one request. Its head has been sent. */
export class SseStream extends Stream {
  readonly isChunked: boolean
  readonly #outgoing: ServerResponse
  readonly #socket: Socket
  readonly #limits: SseLimits
  #waiting = 0

  constructor(
    keeper: Keeper,
    { outgoing, socket }: { outgoing: ServerResponse; socket: Socket },
    given: { isChunked: boolean; limits: SseLimits },
  ) {
    super(keeper)
    this.#outgoing = outgoing
    this.#socket = socket
    this.isChunked = given.isChunked
    this.#limits = given.limits
  }

  /**
   * The bytes are framed already: the response would frame them again for each stream. The system
   * accepts up to 4 MB for a reader that has stopped; only later bytes wait here.
   */
  write(bytes: Buffer, frames: number) {
    const socket = this.#socket
    if (socket.writableLength === 0) return void socket.write(bytes)
    const { maxQueue, maxBufferedBytes } = this.#limits
    this.#waiting += frames
    const waitingBytes = socket.writableLength + bytes.length
    if (this.#waiting > maxQueue || waitingBytes > maxBufferedBytes) return this.end('overflow')
    socket.write(bytes, () => {
      this.#waiting -= frames
    })
  }

  /** By the client, unless the connection broke. */
  override closed() {
    this.end(this.#socket.errored ? 'dropped' : 'left')
  }

  get waitingBytes() {
    return this.#socket.writableLength
  }

  ping(now: Date, id: string | undefined) {
    this.write(pingBytes(now, id, this.isChunked), 1)
  }

  protected disconnect(reason: ServerReason) {
    const outgoing = this.#outgoing
    const socket = this.#socket
    // Waiting frames are cut off too: a stream that goes on never leaves frames out (E-043).
    if (reason === 'overflow' || socket.writableLength > 0) {
      socket.destroy()
      return
    }
    if (reason === 'shutdown') outgoing.write(retryFrame())
    // The connection is closed with it, as its head has said.
    outgoing.end()
    setTimeout(() => socket.destroy(), farewellMillis).unref()
  }
}
