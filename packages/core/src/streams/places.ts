import { addressSubject } from '../request/request.ts'
import type { StreamOptions } from './access/stream-options.ts'
import type { Stream } from './delivery/stream.ts'

type Caps = Pick<
  StreamOptions,
  'maxConnections' | 'maxConnectionsPerSubject' | 'maxConnectionsPerAddress'
>

/** The groups that have a limit: all streams, or those of one subject or address. */
export type Crowd = 'all' | 'subject' | 'address'

/** Limits how many streams of one kind are open (E-074, E-075). */
export class Places {
  readonly #most: number
  readonly #taken = new Set<Stream>()
  readonly #bySubject: Counts
  readonly #byAddress: Counts

  constructor({
    maxConnections = 10_000,
    maxConnectionsPerSubject = 0,
    maxConnectionsPerAddress = 0,
  }: Caps) {
    this.#most = maxConnections
    this.#bySubject = new Counts(maxConnectionsPerSubject, ({ grant }) => grant?.subject)
    this.#byAddress = new Counts(maxConnectionsPerAddress, addressOf)
  }

  /**
   * The group that is full, for a stream of which only the address is known; null if none is. It
   * takes no place yet.
   */
  crowdFor(stream: Stream): Crowd | null {
    if (this.#taken.size >= this.#most) return 'all'
    return this.#byAddress.isFull(stream) ? 'address' : null
  }

  /** The group that is full; null if the stream has got its place. */
  take(stream: Stream): Crowd | null {
    const crowd = this.crowdFor(stream)
    if (crowd) return crowd
    if (this.#bySubject.isFull(stream)) return 'subject'
    this.#taken.add(stream)
    this.#bySubject.add(stream, 1)
    this.#byAddress.add(stream, 1)
    return null
  }

  /** Does nothing for a stream without a place. */
  leave(stream: Stream) {
    if (!this.#taken.delete(stream)) return
    this.#bySubject.add(stream, -1)
    this.#byAddress.add(stream, -1)
  }
}

/** All streams of unknown address count as one. */
function addressOf({ address }: Stream) {
  return address === null ? 'unknown' : addressSubject(address)
}

/** The number of streams of each. Nothing is counted if there is no limit. */
class Counts {
  readonly #most: number
  readonly #keyOf: (stream: Stream) => string | undefined
  readonly #counts = new Map<string, number>()

  constructor(most: number, keyOf: (stream: Stream) => string | undefined) {
    this.#most = most
    this.#keyOf = keyOf
  }

  isFull(stream: Stream) {
    return this.#most > 0 && this.#countOf(this.#keyOf(stream)) >= this.#most
  }

  add(stream: Stream, difference: 1 | -1) {
    const key = this.#most > 0 ? this.#keyOf(stream) : undefined
    if (key === undefined) return
    const count = this.#countOf(key) + difference
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }

  #countOf(key: string | undefined) {
    return key === undefined ? 0 : (this.#counts.get(key) ?? 0)
  }
}
