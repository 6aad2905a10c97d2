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
  /** Undefined where every client may open a stream. */
  readonly access: StreamAccess | undefined
  readonly maxNames: number
  readonly log: Pick<Log, 'error'>
  /** Has the stream follow these. */
  readonly move: (stream: Stream, names: readonly string[]) => void
  /** Resolves when the stream has got what it had missed. */
  readonly settled: (stream: Stream) => Promise<void> | undefined
}

export interface Asked {
  /** Path and query of the request line. */
  readonly target: string
  readonly tokens: readonly string[]
  /** What a request that names no events asks for; it is refused where there is nothing. */
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

/** Where the client has written the names of a change. */
export type NameFields = { readonly [Kind in keyof NameChange]: string }

/** Which events and channels each stream of a router follows: what its client asks for, as far as it may have that. */
export class StreamNames {
  readonly #given: Given

  constructor(given: Given) {
    this.#given = given
  }

  /** What this request may have. The order is decided: names, token, authorization; a wrong name spends no token. */
  async admit(stream: Stream, { target, tokens, initial }: Asked): Promise<readonly string[]> {
    const requested = this.#requestedBy(target) ?? initial ?? refuseEvents()
    const { access, open } = this.#given
    if (!access) return requested
    const grant = await access.spend(tokens)
    refuseEnded(stream)
    stream.grant = grant
    // Before anything is looked at: a revocation of the credential from here on finds this stream.
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

  /** One question at a time: of two answers, the older could come last. What is asked for may change meanwhile. */
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

  /** Has an open stream follow other events: those that are added behind the frame that it answers. */
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
    // Read now: in another turn, it may have got a frame of what it has just begun to follow.
    const { since } = stream
    // What was asked for meanwhile did not know of these.
    if (stream.isAsking || stream.isStale) this.reauthorize(stream)
    return { names, since }
  }

  /** Before what was emitted while a client was away is shown to one that may not see it any more. */
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
    // Nothing says what a changed role may have: its client opens another stream.
    if (!access.authorizes) return stream.end('revoked')
    const requested = () => stream.requested ?? stream.home?.names ?? []
    const asking = { access, grant, requested }
    inTime(this.#narrow(stream, asking)).catch((error: unknown) => {
      const isRefused = isRefusal(error)
      // It is asked again when the credentials are next looked at, where there are any, unless this question hangs.
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
