import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { MessageSocket } from '../../events/contract.ts'
import { type Keeper, type ServerReason, Stream } from '../delivery/stream.ts'
import { jsonFrame, pingFrames } from './socket-frames.ts'

/** RFC 6455, 7.4.1, and 1013 of its registry: try again later. */
const closeCodes: Record<ServerReason, [code: number, reason: string]> = {
  revoked: [1008, 'the credential was revoked'],
  ended: [1008, 'ended by an operator'],
  // Not 1001: clients take that for a shutdown, and spread their reconnects over seconds.
  aged: [1000, 'open for too long'],
  shutdown: [1001, 'the server is going down'],
  overflow: [1013, 'too slow'],
}

/** A WebSocket, from its handshake on. */
export class SocketStream extends Stream implements MessageSocket {
  /** False once the server has ended it: then the client's messages no longer count. */
  isHeard = true
  readonly #socket: Duplex
  readonly #maxBufferedBytes: number
  #ws: WebSocket | undefined = undefined
  #answered = true

  constructor(keeper: Keeper, socket: Duplex, maxBufferedBytes: number) {
    super(keeper)
    this.#socket = socket
    this.#maxBufferedBytes = maxBufferedBytes
  }

  /** The handshake is over. */
  accept(ws: WebSocket) {
    this.#ws = ws
  }

  /** The bytes are framed already, once for all: the library would frame them for each socket. */
  write(bytes: Buffer) {
    const waiting = this.#socket.writableLength
    if (waiting > 0 && waiting + bytes.length > this.#maxBufferedBytes) this.end('overflow')
    else this.#socket.write(bytes)
  }

  get waitingBytes() {
    return this.#socket.writableLength
  }

  /** If a pong is missing by now, the socket is terminated (E-076). */
  ping(now: Date, id: string | undefined) {
    // It could not answer.
    if (this.#ws?.isPaused) return
    if (!this.#answered) {
      this.end('dropped')
      this.#ws?.terminate()
      return
    }
    this.#answered = false
    this.write(pingFrames(now, id))
  }

  answered() {
    this.#answered = true
  }

  send(type: string, data?: unknown) {
    if (this.isOpen) this.write(jsonFrame(type, data))
  }

  close(code?: number, reason?: string) {
    // First, because it throws for an invalid code.
    this.#ws?.close(code ?? 1000, reason)
    this.isHeard = false
  }

  /** If the client has closed it, it has already ended by the close frame. */
  override closed() {
    this.end('dropped')
  }

  protected disconnect(reason: ServerReason) {
    this.isHeard = false
    this.#ws?.close(...closeCodes[reason])
  }
}
