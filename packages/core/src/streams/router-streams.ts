import type { Clock } from '../clock/clock.ts'
import { ServiceUnavailableError, UnauthorizedError } from '../errors/contract.ts'
import { HttpError } from '../errors/errors.ts'
import type { EventRouter } from '../events/contract.ts'
import type { Log, Observer } from '../observation/observation.ts'
import { refuseEvents, requestedEvents } from './access/requested-events.ts'
import type { StreamAccess } from './access/stream-access.ts'
import type { StreamAuthOptions } from './access/stream-options.ts'
import type { StreamGrant } from './access/stream-tokens.ts'
import { FanOut } from './delivery/fan-out.ts'
import type { StreamForm } from './delivery/frame.ts'
import { History } from './delivery/history.ts'
import type { Slices } from './delivery/slices.ts'
import type { EndReason, Keeper, Stream } from './delivery/stream.ts'
import { inTime } from './in-time.ts'
import type { OpenStreams } from './open-streams.ts'

export interface RouterStreamsGiven {
  readonly clock: Clock
  readonly log: Log
  readonly slices: Slices
  readonly open: OpenStreams
  /** Tells the frames of this process from those of another. */
  readonly epoch: string
  /** Undefined where streams are open to everybody. */
  readonly access: StreamAccess | undefined
  readonly auth: Pick<StreamAuthOptions, 'filter' | 'recipients'>
  readonly pingInterval: number
  readonly maxAge: number
  readonly observer?: Observer | undefined
}

/** All streams of one event router: who comes in, what they get, how they end. */
export class RouterStreams implements Keeper {
  readonly router: EventRouter
  readonly fanOut: FanOut
  readonly #given: RouterStreamsGiven
  readonly #unsubscribe: (() => void)[]
  readonly #pingTimer: NodeJS.Timeout
  #pinging = false
  #closing = false

  constructor(router: EventRouter, given: RouterStreamsGiven) {
    this.router = router
    this.#given = given
    const history = router.history && new History(router.history, given.epoch)
    this.fanOut = new FanOut({ ...given, history })
    this.#unsubscribe = Object.entries(router.events).map(([name, event]) =>
      event.subscribe((payload: unknown) => this.fanOut.emit(name, payload)),
    )
    this.#pingTimer = setInterval(() => this.#pingAll(), given.pingInterval).unref()
  }

  /** What this request may have. The order is decided: names, token, authorization; a wrong name spends no token. */
  async admit(stream: Stream, { target, tokens, initial }: Asked): Promise<readonly string[]> {
    if (this.#closing) throw new ServiceUnavailableError({ message: 'The server is going down.' })
    const requested = requestedEvents(target, this.router.eventNames) ?? initial ?? refuseEvents()
    const { access, open } = this.#given
    if (!access) return requested
    const grant = await access.spend(tokens)
    refuseEnded(stream)
    stream.grant = grant
    // Before anything is looked at: whoever revokes the credential from here on finds this stream.
    open.add(stream as Stream & { grant: StreamGrant })
    try {
      return await this.#authorize(stream, { access, grant, requested })
    } catch (error) {
      stream.end('left')
      throw error
    }
  }

  /** One question at a time: of two answers, the older could come last. */
  async #authorize(stream: Stream, { access, grant, requested }: Asking) {
    stream.isAsking = true
    try {
      for (;;) {
        stream.isStale = false
        stream.standing = await access.standing(grant)
        const names = requested.length > 0 ? await access.authorize(grant, requested) : requested
        refuseEnded(stream)
        if (stream.isStale) continue
        if (names.length < requested.length) stream.requested = requested
        return names
      }
    } finally {
      stream.isAsking = false
    }
  }

  /** From here on it gets what is emitted, unless something has come between its admission and this. */
  start(stream: Stream, names: readonly string[], form: StreamForm) {
    refuseEnded(stream)
    const { clock, maxAge } = this.#given
    // A tenth of it is left to chance, so that those who came together do not come again together.
    stream.endsAtMillis = clock.now().getTime() + maxAge * (1 - Math.random() / 10)
    this.fanOut.add(stream, names, form)
    if (stream.isStale) this.reauthorize(stream)
    if (this.#closing) stream.end('shutdown')
  }

  forget(stream: Stream) {
    this.fanOut.remove(stream)
    this.#given.open.remove(stream)
  }

  reauthorize(stream: Stream) {
    const { access, log } = this.#given
    const { grant, home } = stream
    stream.isStale = true
    if (stream.isAsking || !home || !access || !grant) return
    // Nobody has said what a changed role may have: its client opens a stream anew.
    if (!access.authorizes) return stream.end('revoked')
    const asking = { access, grant, requested: stream.requested ?? home.names }
    inTime(this.#narrow(stream, asking)).catch((error: unknown) => {
      const isRefused = error instanceof HttpError && error.status < 500
      // It is asked again when the credentials are next looked at, where there are any, unless this question hangs.
      if (isRefused || grant.credential === undefined || stream.isAsking) stream.end('revoked')
      stream.standing = ''
      if (isRefused) return
      log.error({ err: error }, 'a stream could not be authorized again')
    })
  }

  async #narrow(stream: Stream, asking: Asking) {
    const names = await this.#authorize(stream, asking)
    if (stream.home) this.fanOut.move(stream, names)
  }

  /** Resolves when all have ended, behind what was emitted before. Who comes from here on is refused. */
  close(reason: EndReason) {
    this.#closing = true
    clearInterval(this.#pingTimer)
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    return new Promise<void>((resolve) => this.#given.slices.add(this.#endAll(reason, resolve)))
  }

  *#endAll(reason: EndReason, done: () => void): Generator<undefined, void> {
    for (const [at, stream] of this.fanOut.streams().entries()) {
      stream.end(reason)
      // Ending one costs far more than writing to it.
      if (at % 8 === 7) yield
    }
    done()
  }

  #pingAll() {
    if (this.#pinging) return
    this.#pinging = true
    this.#given.slices.add(this.#pings())
  }

  *#pings(): Generator<undefined, void> {
    const now = this.#given.clock.now()
    for (const [at, stream] of this.fanOut.streams().entries()) {
      if (now.getTime() >= stream.endsAtMillis) stream.end('aged')
      else if (stream.isOpen) stream.ping(now)
      if (at % 64 === 63) yield
    }
    this.#pinging = false
  }
}

/** Its client has left, or what it was opened by is revoked. */
export function refuseEnded(stream: Stream) {
  if (!stream.isOpen) throw new UnauthorizedError()
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
  readonly requested: readonly string[]
}
