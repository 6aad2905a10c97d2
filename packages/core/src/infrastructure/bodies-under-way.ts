import { ServiceUnavailableError } from '../errors/contract.ts'

/** A body of which something has arrived. */
export interface ArrivingBody {
  /** How much of the shared room it uses. */
  heldBytes: number
  /** Refuses its request and lets go of what has arrived. The first refusal counts. */
  refuse(error: Error): void
}

// The memory of a buffer of one byte: a body that comes byte by byte holds hundreds of times its size.
const leastBytesOfChunk = 256

/**
 * The bytes of bodies that this process holds, from their arrival until their requests are over. When there is no room
 * left, the largest body that is still arriving is refused, so that many slow senders can't keep a small body out.
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

  /** A chunk of it has arrived. */
  add(body: ArrivingBody, chunk: { readonly length: number }) {
    const takes = Math.max(chunk.length, leastBytesOfChunk)
    body.heldBytes += takes
    this.#heldBytes += takes
    this.#arriving.add(body)
    while (this.#heldBytes > this.#limitBytes && this.#arriving.size > 0) this.#refuseLargest()
  }

  /** The whole body has arrived. It is held until it is dropped. */
  finish(body: ArrivingBody) {
    this.#arriving.delete(body)
  }

  /** Releases it. Further calls do nothing. */
  drop(body: ArrivingBody) {
    this.#arriving.delete(body)
    this.#heldBytes -= body.heldBytes
    body.heldBytes = 0
  }

  #refuseLargest() {
    const largest = [...this.#arriving].reduce((one, other) =>
      other.heldBytes > one.heldBytes ? other : one,
    )
    this.drop(largest)
    largest.refuse(
      new ServiceUnavailableError({ message: 'Too many bodies are arriving. Try again.' }),
    )
  }
}
