import { connect, type Socket } from 'node:net'
import { readNumbers } from './numbered.ts'
import type { Variant } from './variants.ts'

/** All read into one buffer: otherwise ten thousand buffers would be measured. */
const buffer = Buffer.allocUnsafe(64 * 1024)

export interface Listener {
  got(n: number): void
  opened(): void
  /** The server has ended it, and may have said when to reconnect. */
  ended(client: ReturningClient): void
}

/** A client that must get every number once and in order, even if it reconnects many times. */
export class ReturningClient {
  readonly index: number
  readonly #variant: Variant
  readonly #listener: Listener
  #socket: Socket | undefined
  #lastId: string | undefined
  #head: string | undefined
  #isGreeted = false
  #rest = ''
  #expected: number
  retryMillis = 0
  /** A number that it should not have got, or a refusal. */
  failure: string | undefined

  constructor(variant: Variant, index: number, expected: number, listener: Listener) {
    this.#variant = variant
    this.index = index
    this.#expected = expected
    this.#listener = listener
  }

  /** The number that it has reached. */
  get reached() {
    return this.#expected - 1
  }

  get isOpen() {
    return this.#socket !== undefined && this.#head === undefined
  }

  /** Resolves when the connection is open, or could not be opened. */
  open(url: string) {
    const { hostname, port, host } = new URL(url)
    const { promise, resolve } = Promise.withResolvers<void>()
    const onread = {
      buffer,
      callback: (size: number) => {
        this.#read(buffer.toString('latin1', 0, size))
        if (this.#head === undefined) resolve()
        return true
      },
    }
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread })
    this.#socket = socket
    this.#head = ''
    this.#isGreeted = false
    this.#rest = ''
    const { index } = this
    socket.on('connect', () =>
      socket.write(this.#variant.request(host, { index, lastId: this.#lastId })),
    )
    socket.on('error', () => {})
    socket.on('close', () => {
      resolve()
      if (this.#socket !== socket) return
      this.#socket = undefined
      this.#listener.ended(this)
    })
    return promise
  }

  leave() {
    const socket = this.#socket
    this.#socket = undefined
    socket?.resetAndDestroy()
  }

  #read(text: string) {
    if (this.#head === undefined) return this.#readFrames(text)
    this.#head += text
    const { greeting, ready } = this.#variant
    if (greeting && !this.#isGreeted && this.#head.includes(greeting.after)) {
      this.#isGreeted = true
      this.#socket?.write(greeting.frame(this.#lastId))
    }
    // A server that stops answers 503 to requests that its port had accepted. Reconnect, as our
    // client does.
    const isRefused =
      this.#head.includes('\r\n\r\n') && !/^HTTP\/1\.1 (200|101|503) /.test(this.#head)
    if (isRefused) this.failure ??= `refused: ${this.#head.slice(0, 100)}`
    if (!ready.test(this.#head)) return
    const heard = this.#head
    this.#head = undefined
    this.#listener.opened()
    this.#readFrames(heard)
  }

  #readFrames(chunk: string) {
    const text = this.#rest + chunk
    if (this.#lastId === undefined) this.#lastId = this.#variant.id.exec(text)?.slice(1).join(' ')
    const retry = text.length < 200 && /^retry: (\d+)$/m.exec(text)
    if (retry) this.retryMillis = Number(retry[1])
    const isAtStart = this.#lastId === undefined && !text.includes('@')
    this.#rest = isAtStart ? text : readNumbers(text, (n) => this.#got(n))
  }

  #got(n: number) {
    if (n !== this.#expected) this.failure ??= `got ${n} where ${this.#expected} should have come`
    this.#expected = n + 1
    this.#listener.got(n)
  }
}
