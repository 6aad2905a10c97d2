import { UnauthorizedError } from '../errors/contract.ts'
import { HttpError } from '../errors/errors.ts'
import type { EventRouter } from '../events/contract.ts'
import type { Log } from '../observation/observation.ts'
import { refuseEvents, requestedEvents } from './access/requested-events.ts'
import type { StreamAccess } from './access/stream-access.ts'
import type { StreamGrant } from './access/stream-tokens.ts'
import { refuseEnded, type Stream } from './delivery/stream.ts'
import { inTime } from './in-time.ts'
import type { OpenStreams } from './open-streams.ts'

interface Given {
  readonly router: EventRouter
  readonly open: OpenStreams
  /** Undefined if every client may open a stream. */
  readonly access: StreamAccess | undefined
  readonly maxNames: number
  readonly log: Pick<Log, 'error'>
  /** Makes the stream follow these. */
  readonly move: (stream: Stream, names: readonly string[]) => void
  /** Resolves when the stream has got the emissions that it had missed. */
  readonly settled: (stream: Stream) => Promise<void> | undefined
}

export interface Asked {
  /** Path and query of the request line. */
  readonly target: string
  readonly tokens: readonly string[]
  /** The events for a request that names none. Without any, it is refused. */
  readonly initial?: readonly string[]
}

interface Asking {
  readonly access: StreamAccess
  readonly grant: StreamGrant
  readonly requested: () => readonly string[]
}

export interface NameChange {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

/** The places in the client's input of the names of a change. */
export type NameFields = { readonly [Kind in keyof NameChange]: string }

/**
 * The events and channels that each stream of a router follows: those that its client asks for and
 * may get.
 */
export class StreamNames {
  readonly #given: Given

  constructor(given: Given) {
    this.#given = given
  }

  /**
   * The names that this request may get. The order of the checks matters: names, token,
   * authorization. A wrong name spends no token.
   */
  async admit(stream: Stream, { target, tokens, initial }: Asked): Promise<readonly string[]> {
    const requested = this.#requestedBy(target) ?? initial ?? refuseEvents()
    const { access, open } = this.#given
    if (!access) return requested
    const grant = await access.spend(tokens)
    refuseEnded(stream)
    stream.grant = grant
    // Before any check: from here on, a revocation of the credential finds this stream.
    open.add(stream as Stream & { grant: StreamGrant })
    try {
      return await this.#authorize(stream, { access, grant, requested: () => requested })
    } catch (error) {
      stream.end('left')
      throw error
    }
  }

  #requestedBy(target: string) {
    const names = requestedEvents(target, this.#given.router)
    return names && this.#refuseTooMany(names)
  }

  #refuseTooMany(names: readonly string[], field?: string) {
    const { maxNames } = this.#given
    if (names.length > maxNames) refuseEvents(`must name at most ${maxNames} events`, field)
    return names
  }

  #refuseUnknown(names: readonly string[], field: string) {
    const isKnown = names.every((name) => this.#given.router.has(name))
    if (!isKnown) refuseEvents('must name events of this stream', field)
  }

  /**
   * One question at a time: with two, the older answer could come last. The requested names may
   * change meanwhile.
   */
  async #authorize(stream: Stream, { access, grant, requested }: Asking) {
    stream.isAsking = true
    try {
      for (;;) {
        stream.isStale = false
        stream.standing = await access.standing(grant)
        const asked = requested()
        const names = asked.length > 0 ? await access.authorize(grant, asked) : asked
        refuseEnded(stream)
        if (stream.isStale) continue
        if (names.length < asked.length) stream.requested = asked
        return names
      }
    } finally {
      stream.isAsking = false
    }
  }

  /** Changes what an open stream follows. Added names begin after the frame that it returns. */
  async change(stream: Stream, { add, remove }: NameChange, fields: NameFields) {
    const { access, settled, move } = this.#given
    this.#refuseUnknown(add, fields.add)
    this.#refuseUnknown(remove, fields.remove)
    await settled(stream)
    refuseEnded(stream)
    const allowed =
      access && stream.grant && add.length > 0 ? await access.authorize(stream.grant, add) : add
    refuseEnded(stream)
    const names = changed(stream.home?.names ?? [], { add: allowed, remove })
    const requested = changed(stream.requested ?? stream.home?.names ?? [], { add, remove })
    this.#refuseTooMany(requested, fields.add)
    stream.requested = requested.length > names.length ? requested : undefined
    move(stream, names)
    // Read now: in a later turn, it may already have got a frame of a new name.
    const { since } = stream
    // A question that was asked meanwhile did not include these.
    if (stream.isAsking || stream.isStale) this.reauthorize(stream)
    return { names, since }
  }

  /**
   * Asks before emissions that a client has missed are sent: it may no longer be allowed to see
   * them.
   */
  async askAgain(stream: Stream, names: readonly string[]) {
    const { access } = this.#given
    if (!access?.authorizes || !stream.grant) throw new UnauthorizedError()
    const requested = () => stream.requested ?? names
    return inTime(this.#authorize(stream, { access, grant: stream.grant, requested }))
  }

  reauthorize(stream: Stream) {
    const { access, log } = this.#given
    const { grant, home } = stream
    stream.isStale = true
    if (stream.isAsking || !home || !access || !grant) return
    // It is unknown what a changed role may see, so its client must open another stream.
    if (!access.authorizes) return stream.end('revoked')
    const requested = () => stream.requested ?? stream.home?.names ?? []
    const asking = { access, grant, requested }
    inTime(this.#narrow(stream, asking)).catch((error: unknown) => {
      const isRefused = isRefusal(error)
      // The next check of the credentials asks again, if there are any, unless this question hangs.
      if (isRefused || grant.credential === undefined || stream.isAsking) stream.end('revoked')
      stream.standing = ''
      if (isRefused) return
      log.error({ err: error }, 'a stream could not be authorized again')
    })
  }

  async #narrow(stream: Stream, asking: Asking) {
    const names = await this.#authorize(stream, asking)
    if (stream.home) this.#given.move(stream, names)
  }
}

export function isRefusal(error: unknown) {
  return error instanceof HttpError && error.status < 500
}

function changed(names: readonly string[], { add, remove }: NameChange) {
  return [...new Set([...names, ...add])].filter((name) => !remove.includes(name))
}
