import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Keeper, type ServerReason, Stream } from '../delivery/stream.ts'
import { pingBytes } from './sse-frames.ts'

export interface SseLimits {
  readonly maxQueue: number
  readonly maxBufferedBytes: number
}

// A reader that takes nothing cannot be told goodbye.
const farewellMillis = 2000

/** How long clients are asked to wait when the server goes down, so that they do not come back all at once. */
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
   * The bytes are framed already: the response would frame them again for each stream. The system takes up to 4 MB
   * for a reader that has stopped, so that what waits here is what came after that.
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

  /** By the client, unless something has broken it. */
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
    // What waits is cut off too: frames are never left out of a stream that goes on (E-043).
    if (reason === 'overflow' || socket.writableLength > 0) {
      socket.destroy()
      return
    }
    if (reason === 'shutdown') outgoing.write(retryFrame())
    // The connection goes with it, as its head has said.
    outgoing.end()
    setTimeout(() => socket.destroy(), farewellMillis).unref()
  }
}
