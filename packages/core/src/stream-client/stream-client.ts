import { ForbiddenError } from '../errors/contract.ts'
import type { HttpError } from '../errors/errors.ts'
import { byName, type Followed, Handlers, type Left, leftNames, report } from './handlers.ts'
import type { Link, Listener, Notice, OpenedStream, StreamGap, StreamState } from './notice.ts'
import { without } from './source.ts'

/** A subscription, for a router of any type. */
export interface AnySubscription extends Followed {
  readonly events?: readonly string[]
  readonly replies?: Followed['handlers']
  readonly onOpen?: (opened: OpenedStream) => unknown
  readonly onGap?: (gap: StreamGap) => unknown
  readonly onError?: (error: HttpError) => unknown
  readonly onReconnect?: (attempt: number) => unknown
  readonly onRejected?: (error: HttpError) => unknown
  readonly onClose?: () => unknown
  readonly onMessageError?: (error: HttpError) => unknown
}

/** With the names of the first request, and the present handlers. */
interface Held {
  readonly given: AnySubscription
  readonly names: readonly string[]
  readonly handlers: Handlers
  /** Undefined until the connection is made. */
  link?: Link
}

export type OpenLink = (events: readonly string[], listener: Listener) => Link

/** Holds one subscription, and calls its listeners for the state of its connection. */
export class StreamClient {
  readonly #open: OpenLink
  #subscription: Held | undefined
  #state: StreamState = 'closed'

  constructor(open: OpenLink) {
    this.#open = open
  }

  getState() {
    return this.#state
  }

  subscribe(given: AnySubscription): () => void {
    const superseded = this.#detach()
    const { handlers = {}, replies = {}, events = Object.keys(handlers), ...channels } = given
    const names = [...events, ...namesOf(channels)]
    const held: Held = { given, names, handlers: new Handlers() }
    held.handlers.add(byName({ ...channels, handlers: { ...replies, ...handlers } }))
    this.#subscription = held
    this.#state = 'connecting'
    held.link = this.#open(names, (notice) => this.#hear(held, notice))
    end(superseded)
    return () => {
      if (this.#subscription === held) this.close()
    }
  }

  async follow(more: Followed): Promise<void> {
    const held = this.#subscription
    if (!held?.link) throw new Error('The stream is closed.')
    const names = namesOf(more)
    // Events may arrive before the answer.
    held.handlers.add(byName(more))
    let refused = names
    try {
      refused = without(names, await held.link.change({ type: 'subscribe', names }))
      const message = `You may not follow ${refused.join()}.`
      if (refused.length > 0) throw new ForbiddenError({ message })
    } finally {
      held.handlers.drop(refused)
    }
  }

  async leave(left: Left): Promise<void> {
    const { handlers, link } = this.#subscription ?? {}
    const names = leftNames(left)
    handlers?.drop(names)
    // Later messages of the server have no handler.
    await link?.change({ type: 'unsubscribe', names }).catch(() => {})
  }

  close() {
    end(this.#detach())
  }

  #detach() {
    const subscription = this.#subscription
    subscription?.link?.close()
    this.#subscription = undefined
    this.#state = 'closed'
    return subscription
  }

  #hear(held: Held, notice: Notice) {
    if (notice.type === 'message') return held.handlers.hand(notice.message, held.names)
    if (notice.type === 'reached') return
    if (notice.type === 'gap') return call(held, 'onGap', notice.gap)
    if (notice.type === 'messageError') return call(held, 'onMessageError', notice.error)
    this.#state = notice.type
    if (notice.type === 'open') return call(held, 'onOpen', notice.opened)
    if (notice.type === 'connecting') {
      if (notice.attempt > 0) call(held, 'onReconnect', notice.attempt)
      return
    }
    const { type, error } = notice
    if (error) call(held, type === 'closed' ? 'onRejected' : 'onError', error)
    // The application may have subscribed again.
    if (type === 'closed' && this.#subscription === held) this.close()
  }
}

function namesOf(followed: Followed) {
  return [...new Set(byName(followed).map(([name]) => name))]
}

function end(held: Held | undefined) {
  if (held) call(held, 'onClose')
}

type Listeners = Pick<AnySubscription, Extract<keyof AnySubscription, `on${string}`>>

function call<Name extends keyof Listeners>(
  { given }: Held,
  name: Name,
  ...[told]: Parameters<NonNullable<Listeners[Name]>>
) {
  // The listener of this name takes this argument. TypeScript can't see that they belong together.
  report(name, () => given[name]?.(told as never))
}
