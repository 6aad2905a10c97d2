import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../clock/clock.ts'
import type { Database } from '../database/server.ts'
import type { AnyPresenceChannel, EventRouter, PresenceChange } from '../events/contract.ts'
import { currentServer, deliver } from '../events/events.ts'
import type { Log } from '../observation/observation.ts'
import { DatabasePresence } from './database-presence.ts'
import { MemoryPresence } from './memory-presence.ts'
import {
  type Follower,
  mostAtOnce,
  type PresenceStore,
  type PresentSubject,
  type Resource,
  type Told,
} from './presence-store.ts'

export type { Follower, PresentSubject, Resource } from './presence-store.ts'

interface Needs {
  readonly database?: Pick<Database, 'db' | 'pool'>
  readonly clock: Clock
  readonly log: Pick<Log, 'info' | 'error'>
}

interface Given {
  readonly store: PresenceStore
  readonly channels: readonly AnyPresenceChannel[]
  readonly log: Needs['log']
}

/** `kept`: its server shuts down, and the connection is kept for a while. */
export type Parting = 'left' | 'dropped' | 'kept'

interface Change {
  readonly follower: Follower
  readonly what: 'arrived' | 'left' | 'dropped'
  /** Whether its row may exist, even if the answer that said so was lost. */
  readonly mayBeThere: boolean
}

/** Changes of one moment are written together. */
const gatherMillis = 10

/**
 * A user who opens a stream again at once, for example by reloading a page, is not seen to leave.
 */
const partingMillis = 500

const renewMillis = 10_000
const sweepMillis = 2000
const retryMillis = 1000

/**
 * After an outage of the database, all instances have time to say that their connections still
 * exist.
 */
const calmMillis = 15_000

/** A shutdown waits no longer for the database. */
const farewellMillis = 3000

/**
 * Records which subjects follow the channels of a server's streams, and tells which ones come and
 * go.
 */
export class Presence {
  readonly #given: Given
  readonly #channels: ReadonlyMap<string, AnyPresenceChannel>
  /** The connections of this instance that should be stored. */
  readonly #own = new Map<string, Follower>()
  readonly #due = new Map<string, Change>()
  readonly #parting = new Map<
    string,
    { readonly follower: Follower; readonly timer: NodeJS.Timeout }
  >()
  #timers: NodeJS.Timeout[] = []
  #waking: NodeJS.Timeout | undefined
  #renewing: NodeJS.Timeout | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #troubledAt = -Infinity
  #isTroubled = false
  #isWriting = false
  #isClosed = false
  /** It belongs to the server, and to no request, even if one has called it. */
  #apart: <Result>(run: () => Result) => Result = (run) => run()

  constructor(given: Given) {
    this.#given = given
    this.#channels = new Map(given.channels.map((channel) => [channel.name, channel]))
  }

  /** Whether all instances share it. */
  get isShared() {
    return this.#given.store.isShared
  }

  /** Call it as a part of the server. */
  async open() {
    this.#apart = AsyncLocalStorage.snapshot()
    await this.#given.store.open()
    // Random, so that instances that started together do not sweep together.
    const sweeping = sweepMillis * (0.8 + Math.random() * 0.4)
    this.#timers = [
      setInterval(() => void this.#renew(), renewMillis).unref(),
      setInterval(() => void this.#sweep(), sweeping).unref(),
    ]
  }

  /** From now on, the connection follows. */
  follow(follower: Follower) {
    const key = keyOf(follower)
    this.#own.set(key, follower)
    const parting = this.#parting.get(key)
    clearTimeout(parting?.timer)
    if (this.#parting.delete(key)) return
    this.#note({ follower, what: 'arrived', mayBeThere: this.#due.has(key) })
    this.#wake(gatherMillis)
  }

  /** The connection no longer follows. */
  part(follower: Follower, how: Parting) {
    const key = keyOf(follower)
    this.#own.delete(key)
    if (how === 'kept') return
    if (this.#due.get(key)?.mayBeThere === false) this.#due.delete(key)
    else if (how === 'dropped') this.#leave(follower, how)
    else this.#partSoon(key, follower)
  }

  readonly present = (channel: string, resource: string) =>
    this.#given.store.present({ channel, resource })

  /** The subjects that were told as joined, and not as left. */
  followersOf(resources: readonly Resource[]) {
    return this.#given.store.followersOf(resources)
  }

  /** Those of them that were told as joined, and not as left. */
  following(subjects: readonly PresentSubject[]) {
    return this.#given.store.following(subjects)
  }

  /**
   * Writes the last changes. The connections of this instance are kept until their clients have had
   * time to reconnect.
   */
  async close() {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const timer of this.#timers) clearInterval(timer)
    clearTimeout(this.#waking)
    clearTimeout(this.#renewing)
    for (const { follower, timer } of this.#parting.values()) {
      clearTimeout(timer)
      this.#note({ follower, what: 'left', mayBeThere: true })
    }
    // If the database does not get this, the lease ends it.
    const ended = this.#apart(() => this.#finish()).catch(() => {})
    await Promise.race([ended, wait(farewellMillis, undefined, { ref: false })])
  }

  async #finish() {
    while (this.#due.size > 0) await this.#writeSome()
    await this.#inTurn(() => this.#given.store.close())
  }

  #partSoon(key: string, follower: Follower) {
    const part = () => {
      this.#parting.delete(key)
      this.#leave(follower, 'left')
    }
    const timer = this.#apart(() => setTimeout(part, partingMillis)).unref()
    this.#parting.set(key, { follower, timer })
  }

  #leave(follower: Follower, what: 'left' | 'dropped') {
    this.#note({ follower, what, mayBeThere: true })
    this.#wake(gatherMillis)
  }

  #note(change: Change) {
    this.#due.set(keyOf(change.follower), change)
  }

  #wake(millis: number) {
    if (this.#waking || this.#isClosed) return
    const write = () => {
      this.#waking = undefined
      void this.#writeAll()
    }
    this.#waking = this.#apart(() => setTimeout(write, millis)).unref()
  }

  async #writeAll() {
    if (this.#isWriting) return
    this.#isWriting = true
    try {
      while (this.#due.size > 0) await this.#writeSome()
      this.#wentWell()
    } catch (error) {
      this.#failed(error)
      // The instance itself may have been dropped meanwhile.
      await this.#renew()
      this.#wake(retryMillis)
    }
    this.#isWriting = false
  }

  async #writeSome() {
    const some = [...this.#due].slice(0, mostAtOnce)
    for (const [key] of some) this.#due.delete(key)
    const changes = some.map(([, change]) => change)
    const of = (what: Change['what']) =>
      changes.flatMap((each) => (each.what === what ? [each.follower] : []))
    const given = { arrived: of('arrived'), left: of('left'), dropped: of('dropped') }
    try {
      await this.#inTurn(() => this.#given.store.write(given, (told) => this.#tell(told)))
    } catch (error) {
      for (const [key, change] of some) this.#putBack(key, change)
      throw error
    }
  }

  #putBack(key: string, change: Change) {
    const isWanted = change.what !== 'arrived' || this.#own.has(key)
    if (!this.#due.has(key) && isWanted) this.#note({ ...change, mayBeThere: true })
  }

  async #sweep() {
    if (performance.now() - this.#troubledAt < calmMillis) return
    try {
      while ((await this.#inTurn(() => this.#sweepOnce())) === mostAtOnce);
    } catch (error) {
      this.#failed(error)
    }
  }

  #sweepOnce() {
    return this.#given.store.sweep((told) => this.#tell(told))
  }

  async #renew() {
    try {
      const hasHeld = await this.#given.store.renew()
      this.#wentWell()
      if (!hasHeld) this.#writeAgain()
    } catch (error) {
      this.#failed(error)
      this.#renewSoon()
    }
  }

  #renewSoon() {
    if (this.#isClosed) return
    clearTimeout(this.#renewing)
    this.#renewing = setTimeout(() => void this.#renew(), retryMillis).unref()
  }

  /** Other instances have treated this one as dead. */
  #writeAgain() {
    this.#troubledAt = performance.now()
    for (const [key, follower] of this.#own) {
      if (!this.#due.has(key)) this.#note({ follower, what: 'arrived', mayBeThere: true })
    }
    this.#wake(gatherMillis)
  }

  /** One change after the other, so that they are told in their order. */
  #inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(run)
    this.#turn = result.catch(() => {})
    return result
  }

  async #tell({ joined, left }: Told) {
    for (const [resource, subjects] of byResource(joined)) {
      await this.#emit(resource, { of: resource.resource, joined: subjects })
    }
    for (const [resource, subjects] of byResource(left)) {
      await this.#emit(resource, { of: resource.resource, left: subjects })
    }
  }

  async #emit({ channel }: Resource, change: PresenceChange) {
    const event = this.#channels.get(channel)?.['~presence']
    if (!event) return
    // If the store is in this process, it concerns no other one.
    if (this.isShared) await event.emit(change)
    else await deliver(currentServer(), event, change)
  }

  #failed(error: unknown) {
    this.#troubledAt = performance.now()
    if (this.#isTroubled) return
    this.#isTroubled = true
    this.#given.log.error(
      { err: error },
      'presence of channels cannot be written, and is tried again',
    )
  }

  #wentWell() {
    if (!this.#isTroubled) return
    this.#isTroubled = false
    this.#given.log.info('presence of channels is written again')
  }
}

function keyOf({ channel, resource, connection }: Follower) {
  return `${connection} ${channel}\n${resource}`
}

function byResource(subjects: readonly PresentSubject[]) {
  const grouped = Map.groupBy(subjects, ({ channel, resource }) => `${channel}\n${resource}`)
  return [...grouped.values()].flatMap((group) => {
    const [first] = group
    return first ? [[first, group.map(({ subject }) => subject)] as const] : []
  })
}

interface Streamed {
  readonly router: EventRouter
}

/**
 * Undefined if no channel tells who follows it. Without a database, or for a single instance, it is
 * in memory.
 */
export function openPresence(
  { events, websockets }: { readonly events?: Streamed; readonly websockets?: Streamed },
  { database, clock, log }: Needs,
  { multiInstance }: { readonly multiInstance: boolean },
): Presence | undefined {
  const channels = [events, websockets].flatMap((streams) =>
    Object.values(streams?.router['~presence'] ?? {}),
  )
  if (channels.length === 0) return undefined
  const names = [...new Set(channels.map(({ name }) => name))]
  const store =
    database && multiInstance ? new DatabasePresence(database, names) : new MemoryPresence(clock)
  return new Presence({ store, channels, log })
}
