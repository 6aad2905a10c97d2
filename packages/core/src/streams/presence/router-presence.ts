import { randomUUID } from 'node:crypto'
import {
  channelIn,
  type EventRouter,
  hasPresence,
  type PresenceChange,
} from '../../events/contract.ts'
import type { Log } from '../../observation/observation.ts'
import type { Follower, Parting, Presence, Resource } from '../../presence/presence.ts'
import type { Frame, StreamForm } from '../delivery/frame.ts'
import type { EndReason, Stream } from '../delivery/stream.ts'
import type { Passage, Room } from './room.ts'
import { Rooms } from './rooms.ts'

/** Where presence comes from, and how it is told. */
export interface PresenceSource {
  readonly presence: Presence
  /** Whether the messages are complete and in order. */
  readonly isOrdered: boolean
}

interface Given extends PresenceSource {
  readonly router: EventRouter
  readonly log: Pick<Log, 'error'>
  /** Tells the streams of this instance about a channel, by its name in the router. */
  readonly tell: (channel: string, change: PresenceChange) => void
}

interface Following {
  readonly connection: string
  /** The rooms that it is in, and whether it was sent who else is there. */
  readonly rooms: Map<Room, boolean>
}

const partings = {
  left: 'left',
  revoked: 'left',
  ended: 'left',
  dropped: 'dropped',
  aged: 'dropped',
  overflow: 'dropped',
  shutdown: 'kept',
} as const satisfies Record<EndReason, Parting>

/** PostgreSQL's text can't contain a NUL, and its indexes can't contain much longer texts. */
// oxlint-disable-next-line no-control-regex -- see above
const storable = /^[^\u0000]{1,500}$/

/** By then, a lost message is noticed. */
const refreshMillis = 30_000

/**
 * Presence in the channels of one router: what its streams on this instance are told, and what they
 * add.
 */
export class RouterPresence {
  readonly #given: Given
  readonly #following = new Map<Stream, Following>()
  readonly #rooms: Rooms
  readonly #refreshing: NodeJS.Timeout | undefined

  constructor(given: Given) {
    this.#given = given
    this.#rooms = new Rooms({
      ...given,
      tell: ({ name }, change) => given.tell(this.#channelIn(name).key, change),
    })
    if (given.isOrdered) return
    this.#refreshing = setInterval(() => this.#rooms.doubtAll(), refreshMillis).unref()
  }

  /** From here on, the stream's subject is present in these channels, and in no other. */
  follow(stream: Stream, names: readonly string[]) {
    const wanted = names.filter((name) => this.#channelIn(name).resource)
    const known = this.#following.get(stream)
    if (!known && wanted.length === 0) return
    const following = known ?? { connection: randomUUID(), rooms: new Map() }
    this.#following.set(stream, following)
    for (const room of following.rooms.keys()) {
      if (!wanted.includes(room.name)) this.#leave(stream, room, 'left')
    }
    for (const name of wanted) this.#enter(stream, following, name)
    if (wanted.length === 0) this.#following.delete(stream)
  }

  /** The stream follows them, and for new ones is sent who is there. */
  show(stream: Stream, names: readonly string[], form: StreamForm) {
    this.follow(stream, names)
    const { rooms } = this.#following.get(stream) ?? {}
    for (const [room, isShown] of rooms ?? []) {
      if (isShown) continue
      rooms?.set(room, true)
      room.show(stream, form)
    }
  }

  forget(stream: Stream, reason: EndReason) {
    for (const room of this.#following.get(stream)?.rooms.keys() ?? []) {
      this.#leave(stream, room, partings[reason])
    }
    this.#following.delete(stream)
  }

  /** Notes a message for streams. */
  take({ name, payload }: Pick<Frame, 'name' | 'payload'>) {
    return this.#rooms.get(name)?.take(payload as Passage) ?? false
  }

  /**
   * Handles an instance's message about a channel. If messages may be out of order, it only causes
   * a look.
   */
  hear(channel: string, change: PresenceChange) {
    if (this.#given.isOrdered) return this.#given.tell(channel, change)
    const { of: id, ...passage } = change
    const room = this.#rooms.get(`${channel}:${id}`)
    if (room) this.#rooms.doubt(room, Object.values(passage).flat())
  }

  /** Some messages were lost. */
  lost() {
    if (!this.#given.isOrdered) return this.#rooms.doubtAll()
    // Numbers belong to the log. The streams reconnect, and are sent who is there.
    for (const stream of this.#following.keys()) stream.end('aged')
  }

  close() {
    clearInterval(this.#refreshing)
    this.#rooms.close()
  }

  #enter(stream: Stream, { connection, rooms }: Following, name: string) {
    const { resource } = this.#channelIn(name)
    const room = this.#rooms.get(name) ?? (resource && this.#rooms.open(name, resource))
    if (!room || rooms.has(room)) return
    rooms.set(room, false)
    room.streams += 1
    const follower = followerOf(stream, connection, room)
    if (follower) this.#given.presence.follow(follower)
  }

  #leave(stream: Stream, room: Room, how: Parting) {
    const { connection, rooms } = this.#following.get(stream) as Following
    rooms.delete(room)
    room.forget(stream)
    room.streams -= 1
    if (room.streams === 0) this.#rooms.drop(room)
    const follower = followerOf(stream, connection, room)
    if (follower) this.#given.presence.part(follower, how)
  }

  /** The resource is undefined if the channel doesn't tell who follows it. */
  #channelIn(name: string): { readonly key: string; readonly resource: Resource | undefined } {
    const { events } = this.#given.router
    const [key, id] = channelIn(name, events)
    const event = id === undefined ? undefined : events[key]
    const isTold = id !== undefined && event !== undefined && hasPresence(event)
    return { key, resource: isTold ? { channel: event.name, resource: id } : undefined }
  }
}

/** Undefined for a subject that can't be stored. */
function followerOf(
  { grant }: Stream,
  connection: string,
  { resource }: Room,
): Follower | undefined {
  const subject = grant?.subject ?? ''
  return storable.test(subject) ? { ...resource, subject, connection } : undefined
}
