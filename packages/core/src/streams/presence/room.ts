import { presenceFrame } from '../../events/contract.ts'
import type { Resource } from '../../presence/presence.ts'
import type { StreamForm } from '../delivery/frame.ts'
import type { Stream } from '../delivery/stream.ts'

/** Subjects that have come or gone. */
export interface Passage {
  readonly joined?: readonly string[]
  readonly left?: readonly string[]
}

/** The followers of one channel, as the streams of one router on this instance know them. */
export class Room {
  readonly name: string
  readonly resource: Resource
  /** How many streams of this instance follow it. */
  streams = 0
  /** Undefined until it is known. */
  #present: Set<string> | undefined = undefined
  /** The messages before that. */
  #meanwhile: Passage[] = []
  readonly #waiting = new Map<Stream, StreamForm>()
  /** Streams that are shown the same followers get the same bytes. */
  readonly #shown = new Map<string, Buffer>()

  constructor(name: string, resource: Resource) {
    this.name = name
    this.resource = resource
  }

  get isKnown() {
    return this.#present !== undefined
  }

  /** Returns whether streams know the followers, and so must be told. */
  take(passage: Passage) {
    if (this.#present) this.#apply(this.#present, passage)
    else this.#meanwhile.push(passage)
    return this.isKnown
  }

  /**
   * These were there at some recent moment. Later messages are added, and perhaps some earlier
   * ones.
   */
  know(subjects: readonly string[]) {
    const present = new Set(subjects)
    for (const passage of this.#meanwhile.splice(0)) this.#apply(present, passage)
    this.#present = present
    for (const [stream, form] of this.#waiting) this.show(stream, form)
    this.#waiting.clear()
  }

  /** The change to tell if these are there now, of the given subjects: of all unless given. */
  passageTo(there: readonly string[], asked?: ReadonlySet<string>) {
    const before = this.#present ?? new Set()
    const now = new Set(there)
    return {
      joined: [...now].filter((subject) => !before.has(subject)),
      left: [...(asked ?? before)].filter((subject) => before.has(subject) && !now.has(subject)),
    }
  }

  /**
   * Sends a stream who is there, when that is known. Its own subject is included, even if that was
   * not told yet.
   */
  show(stream: Stream, form: StreamForm) {
    if (this.#present) stream.write(this.#bytesFor(this.#present, stream, form), 1)
    else this.#waiting.set(stream, form)
  }

  forget(stream: Stream) {
    this.#waiting.delete(stream)
  }

  #bytesFor(present: ReadonlySet<string>, { grant }: Stream, form: StreamForm) {
    if (grant && !present.has(grant.subject)) return this.#encode([...present, grant.subject], form)
    const bytes = this.#shown.get(form.name) ?? this.#encode([...present], form)
    this.#shown.set(form.name, bytes)
    return bytes
  }

  #encode(present: readonly string[], form: StreamForm) {
    return form.encodeAside(presenceFrame, JSON.stringify({ channel: this.name, present }))
  }

  #apply(present: Set<string>, { joined = [], left = [] }: Passage) {
    for (const subject of joined) present.add(subject)
    for (const subject of left) present.delete(subject)
    this.#shown.clear()
  }
}
