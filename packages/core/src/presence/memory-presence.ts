import type { Clock } from '../clock/clock.ts'
import {
  type Follower,
  type FollowerChanges,
  graceMillis,
  mostAtOnce,
  type PresenceStore,
  type PresentSubject,
  type Resource,
  type Tell,
  without,
} from './presence-store.ts'

/** Presence in one process. */
export class MemoryPresence implements PresenceStore {
  readonly isShared = false
  readonly #clock: Clock
  /** The connections by resource and subject, and until when a broken one is kept. */
  readonly #resources = new Map<string, Map<string, Map<string, number>>>()
  readonly #dropped = new Map<string, Follower>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async open() {}

  async write({ arrived, left, dropped }: FollowerChanges, tell: Tell) {
    const joined = without(arrived, this.#following(arrived))
    for (const each of arrived) this.#add(each)
    for (const each of dropped) this.#drop(each)
    const removed = left.filter((each) => this.#remove(each))
    await tell({ joined, left: without(removed, this.#following(removed)) })
  }

  async sweep(tell: Tell) {
    const now = this.#clock.now().getTime()
    const due = [...this.#dropped.values()].filter((each) => this.#untilOf(each) <= now)
    const some = due.slice(0, mostAtOnce)
    if (some.length > 0) await this.write({ arrived: [], left: some, dropped: [] }, tell)
    return some.length
  }

  async renew() {
    return true
  }

  async present(resource: Resource) {
    const now = this.#clock.now().getTime()
    const subjects = [...(this.#resources.get(keyOf(resource)) ?? [])]
    return subjects
      .filter(([, connections]) => [...connections.values()].some((until) => until > now))
      .map(([subject]) => subject)
      .toSorted()
  }

  async followersOf(resources: readonly Resource[]) {
    return resources.flatMap(({ channel, resource }) =>
      [...(this.#resources.get(keyOf({ channel, resource }))?.keys() ?? [])].map((subject) => ({
        channel,
        resource,
        subject,
      })),
    )
  }

  async following(subjects: readonly PresentSubject[]) {
    return this.#following(subjects)
  }

  async close() {}

  #following(subjects: readonly PresentSubject[]) {
    return subjects.filter((each) => this.#resources.get(keyOf(each))?.has(each.subject))
  }

  #add(follower: Follower) {
    const subjects = this.#resources.get(keyOf(follower)) ?? new Map()
    const connections = subjects.get(follower.subject) ?? new Map()
    connections.set(follower.connection, Infinity)
    this.#resources.set(keyOf(follower), subjects.set(follower.subject, connections))
  }

  #drop(follower: Follower) {
    const connections = this.#connectionsOf(follower)
    if (!connections?.has(follower.connection)) return
    connections.set(follower.connection, this.#clock.now().getTime() + graceMillis)
    this.#dropped.set(connectionKeyOf(follower), follower)
  }

  /** Returns whether it was there. */
  #remove(follower: Follower) {
    const subjects = this.#resources.get(keyOf(follower))
    const connections = subjects?.get(follower.subject)
    this.#dropped.delete(connectionKeyOf(follower))
    if (!connections?.delete(follower.connection)) return false
    if (connections.size === 0) subjects?.delete(follower.subject)
    if (subjects?.size === 0) this.#resources.delete(keyOf(follower))
    return true
  }

  #connectionsOf(follower: Follower) {
    return this.#resources.get(keyOf(follower))?.get(follower.subject)
  }

  #untilOf(follower: Follower) {
    return this.#connectionsOf(follower)?.get(follower.connection) ?? 0
  }
}

function keyOf({ channel, resource }: Resource) {
  return `${channel}\n${resource}`
}

function connectionKeyOf(follower: Follower) {
  return `${keyOf(follower)}\n${follower.connection}`
}
