import { connect } from 'node:net'
import { hasPayload, marker, nowMicros, stampAt } from './payload.ts'
import { openingRequest, type Variant } from './variants.ts'

// Fewer than the 511 that may wait until Node accepts them.
const openingAtOnce = 256

/**
 * Connections that count what they get. All read into one buffer: otherwise ten thousand buffers
 * would be measured.
 */
export class Audience {
  readonly #bytes = Buffer.alloc(64 * 1024 + 1)
  readonly #counts: Uint32Array
  readonly #leave: (() => void)[] = []
  #leaving = false
  #received = 0
  #expected = 0
  #onComplete = () => {}
  #latencies: number[] | undefined
  #isChecked = false

  private constructor(size: number) {
    this.#counts = new Uint32Array(size)
  }

  static async open(variant: Variant, origin: string, size: number) {
    const audience = new Audience(size)
    let next = 0
    const openNext = async () => {
      while (next < size) await audience.#connect(variant, origin, next++)
    }
    await Promise.all(Array.from({ length: openingAtOnce }, openNext))
    return audience
  }

  get size() {
    return this.#counts.length
  }

  /** Resolves when so many more emissions have reached every stream. */
  expect(emissions: number) {
    this.#expected += emissions * this.size
    return new Promise<void>((resolve) => {
      this.#onComplete = resolve
    })
  }

  /** From now on, measures how long each frame was on its way, in microseconds. */
  time() {
    this.#latencies = []
    return this.#latencies
  }

  /** After a reset, no port stays in TIME_WAIT. */
  close() {
    this.#leaving = true
    for (const leave of this.#leave) leave()
    if (this.#counts.some((count) => count !== this.#counts[0])) {
      throw new Error('some connections got more frames than others')
    }
  }

  #connect(variant: Variant, origin: string, index: number) {
    const { hostname, port } = new URL(origin)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const opening = new Opening(variant, (frame) => socket.write(frame))
    const callback = (size: number) => {
      if (opening.isOpen) this.#count(index, size)
      else if (opening.hear(this.#bytes.toString('latin1', 0, size))) resolve()
      return true
    }
    const onread = { buffer: this.#bytes.subarray(0, -1), callback }
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread })
    socket.on('connect', () => socket.write(openingRequest(variant, origin, index)))
    socket.on('error', reject)
    socket.on('close', () => {
      if (this.#leaving) return
      const error = new Error(`${variant.name} closes a connection: ${opening.heard.slice(0, 300)}`)
      if (!opening.isOpen) reject(error)
      // Waiting for its frames would never end: the process ends, and the sample with it.
      else throw error
    })
    this.#leave.push(() => socket.resetAndDestroy())
    return promise
  }

  /** It makes no sense to time a server that sends something else. */
  #check(size: number) {
    this.#isChecked = true
    const text = this.#bytes.toString('latin1', 0, size)
    if (!hasPayload(text)) throw new Error(`no payload in ${text}`)
  }

  #count(index: number, size: number) {
    if (!this.#isChecked) this.#check(size)
    const bytes = this.#bytes
    // A sentinel, which ends the search.
    bytes[size] = marker
    let found = 0
    let stride = 0
    for (let at = bytes.indexOf(marker); at < size; at += stride) {
      found++
      this.#latencies?.push(nowMicros() - stampAt(bytes, at, size))
      // Frames of one turn usually have the same length, and checking is cheaper than searching.
      if (stride === 0 || bytes[at + stride] !== marker) stride = bytes.indexOf(marker, at + 1) - at
    }
    this.#counts[index] = (this.#counts[index] ?? 0) + found
    this.#received += found
    if (this.#received >= this.#expected) this.#onComplete()
  }
}

/** What a server sends before the first frame. */
class Opening {
  readonly #variant: Variant
  readonly #say: (frame: Buffer) => void
  #greeted = false
  heard = ''
  isOpen = false

  constructor(variant: Variant, say: (frame: Buffer) => void) {
    this.#variant = variant
    this.#say = say
  }

  hear(text: string) {
    this.heard += text
    const { greeting, ready } = this.#variant
    if (greeting && !this.#greeted && this.heard.includes(greeting.after)) {
      this.#greeted = true
      this.#say(greeting.frame)
    }
    const isRefused = this.heard.includes('\r\n\r\n') && !/^HTTP\/1\.1 (200|101) /.test(this.heard)
    if (isRefused) throw new Error(`refused: ${this.heard.slice(0, 300)}`)
    this.isOpen = this.heard.includes(ready)
    return this.isOpen
  }
}
