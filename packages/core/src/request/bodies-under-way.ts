import { ServiceUnavailableError } from '../errors/errors.ts'

/** What has arrived of a body. */
export interface ArrivingBody {
  chunks: Buffer[]
  size: number
  /** What it takes of the memory that all share. */
  heldBytes: number
  /** Refuses its request. The first refusal counts. */
  refuse(error: Error): void
}

// What a buffer of one byte takes: without it, a body that comes byte by byte would hold hundreds of times its size.
const leastBytesOfChunk = 256

/**
 * The bytes of bodies that this process holds, from their arrival until their requests are over. Where there is no room
 * left, the largest that is still arriving gives way, so that many slow senders cannot keep a small body out.
 */
export class BodiesUnderWay {
  readonly #limitBytes: number
  readonly #arriving = new Set<ArrivingBody>()
  #heldBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  get heldBytes() {
    return this.#heldBytes
  }

  add(body: ArrivingBody, chunk: Buffer) {
    const takes = Math.max(chunk.length, leastBytesOfChunk)
    body.chunks.push(chunk)
    body.size += chunk.length
    body.heldBytes += takes
    this.#heldBytes += takes
    this.#arriving.add(body)
    while (this.#heldBytes > this.#limitBytes && this.#arriving.size > 0) this.#refuseLargest()
  }

  /** All of it is here, and is held until it is dropped. */
  finish(body: ArrivingBody) {
    this.#arriving.delete(body)
  }

  /** Lets go of it, once or several times. */
  drop(body: ArrivingBody) {
    this.#arriving.delete(body)
    this.#heldBytes -= body.heldBytes
    body.heldBytes = 0
    body.chunks = []
  }

  #refuseLargest() {
    const largest = [...this.#arriving].reduce((one, other) =>
      other.heldBytes > one.heldBytes ? other : one,
    )
    largest.refuse(new ServiceUnavailableError({ message: 'Too many bodies are under way.' }))
    this.drop(largest)
  }
}
