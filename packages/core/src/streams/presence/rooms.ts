import { AsyncLocalStorage } from 'node:async_hooks'
import type { PresenceChange } from '../../events/contract.ts'
import type { Log } from '../../observation/observation.ts'
import type { Presence, PresentSubject, Resource } from '../../presence/presence.ts'
import { Room } from './room.ts'

interface Given {
  readonly presence: Pick<Presence, 'followersOf' | 'following'>
  readonly log: Pick<Log, 'error'>
  /** Tells the streams of this instance. */
  readonly tell: (room: Room, change: PresenceChange) => void
}

/** Questions of one moment are asked together. */
const lookMillis = 20
const retryMillis = 1000

/** The most rooms in one statement. */
const mostAtOnce = 500

/** The rooms of this instance. They find out who is there. */
export class Rooms {
  readonly #given: Given
  readonly #open = new Map<string, Room>()
  /** The subjects to ask about, by room; if undefined, all of the room. */
  readonly #doubtful = new Map<Room, ReadonlySet<string> | undefined>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false
  #isTroubled = false
  readonly #apart = AsyncLocalStorage.snapshot()

  constructor(given: Given) {
    this.#given = given
  }

  get(name: string) {
    return this.#open.get(name)
  }

  open(name: string, resource: Resource) {
    const room = new Room(name, resource)
    this.#open.set(name, room)
    this.doubt(room)
    return room
  }

  drop(room: Room) {
    this.#open.delete(room.name)
    this.#doubtful.delete(room)
  }

  /** Finds out who is there, and tells the difference to what streams know. */
  doubt(room: Room, subjects?: readonly string[]) {
    const isWhole = !subjects || (this.#doubtful.has(room) && !this.#doubtful.get(room))
    const asked = isWhole ? undefined : new Set([...(this.#doubtful.get(room) ?? []), ...subjects])
    this.#doubtful.set(room, asked)
    this.#lookIn(lookMillis)
  }

  doubtAll() {
    for (const room of this.#open.values()) this.doubt(room)
  }

  close() {
    clearTimeout(this.#timer)
    this.#doubtful.clear()
    this.#open.clear()
  }

  #lookIn(millis: number) {
    if (this.#timer || this.#isLooking) return
    const look = () => {
      this.#timer = undefined
      void this.#look()
    }
    this.#timer = this.#apart(() => setTimeout(look, millis)).unref()
  }

  /** One look after the other: the last one sees the final state. */
  async #look() {
    this.#isLooking = true
    const some = [...this.#doubtful].slice(0, mostAtOnce)
    for (const [room] of some) this.#doubtful.delete(room)
    let pause = lookMillis
    try {
      await this.#findOut(some)
      this.#isTroubled = false
    } catch (error) {
      for (const [room] of some) this.#doubtful.set(room, undefined)
      pause = retryMillis
      this.#failed(error)
    }
    this.#isLooking = false
    if (this.#doubtful.size > 0) this.#lookIn(pause)
  }

  async #findOut(some: readonly (readonly [Room, ReadonlySet<string> | undefined])[]) {
    const { presence } = this.#given
    const whole = some.flatMap(([room, asked]) => (asked ? [] : [room.resource]))
    const single = some.flatMap(([{ resource }, asked]) =>
      [...(asked ?? [])].map((subject) => ({ ...resource, subject })),
    )
    const there = byResource([
      ...(whole.length > 0 ? await presence.followersOf(whole) : []),
      ...(single.length > 0 ? await presence.following(single) : []),
    ])
    for (const [room, asked] of some) {
      if (this.#open.get(room.name) !== room) continue
      this.#settle(room, there.get(keyOf(room.resource)) ?? [], asked)
    }
  }

  #settle(room: Room, there: readonly string[], asked: ReadonlySet<string> | undefined) {
    if (!room.isKnown) return room.know(there)
    const { joined, left } = room.passageTo(there, asked)
    const { resource: id } = room.resource
    if (joined.length > 0) this.#given.tell(room, { of: id, joined })
    if (left.length > 0) this.#given.tell(room, { of: id, left })
  }

  #failed(error: unknown) {
    if (this.#isTroubled) return
    this.#isTroubled = true
    this.#given.log.error({ err: error }, 'presence of channels cannot be read')
  }
}

function byResource(subjects: readonly PresentSubject[]) {
  const found = new Map<string, string[]>()
  for (const each of subjects) {
    const known = found.get(keyOf(each))
    if (known) known.push(each.subject)
    else found.set(keyOf(each), [each.subject])
  }
  return found
}

function keyOf({ channel, resource }: Resource) {
  return `${channel}\n${resource}`
}
