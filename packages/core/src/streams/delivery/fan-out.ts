import type { LoggedEvent } from '../../event-log/event-log.ts'
import { presenceFrame } from '../../events/contract.ts'
import type { Log, Observer } from '../../observation/observation.ts'
import type { StreamAuthOptions } from '../access/stream-options.ts'
import { type Frame, gap, isAbout, type StreamForm } from './frame.ts'
import { Group } from './group.ts'
import type { History } from './history.ts'
import { Selection } from './selection.ts'
import { type Emitted, type Showing, shownAs } from './shown-as.ts'
import type { Slices } from './slices.ts'
import type { Stream } from './stream.ts'

interface Given {
  readonly auth: Pick<StreamAuthOptions, 'filter' | 'recipients'>
  readonly log: Pick<Log, 'error'>
  readonly slices: Slices
  readonly history: History | undefined
  readonly epoch: string
  readonly showing: Showing
  /** Undefined if no channel tells who follows it. */
  readonly presence: StreamPresence | undefined
  readonly observer?: Observer | undefined
}

/** The presence that streams are told about. */
interface StreamPresence {
  /** The stream follows these from now on. For new ones, it is sent who is there. */
  show(stream: Stream, names: readonly string[], form: StreamForm): void
  /** Notes which subjects come or go. Returns whether streams must be told. */
  take(frame: Frame): boolean
  /** Some of these messages may have been lost. */
  lost(): void
}

/** Passes every emission of one router's events to the streams that should get it. */
export class FanOut {
  readonly selection: Selection
  readonly #given: Given
  readonly #groups = new Map<string, Group>()
  /** There are many channels, and a stream follows few of them. */
  readonly #byName = new Map<string, Set<Group>>()
  #epoch: string
  #seq = 0

  constructor(given: Given) {
    this.#given = given
    this.#epoch = given.epoch
    this.selection = new Selection(given.auth, given.log)
  }

  get epoch() {
    return this.#epoch
  }

  get seq() {
    return this.#seq
  }

  /** The number of streams. */
  get size() {
    let size = 0
    for (const group of this.#groups.values()) size += group.size
    return size
  }

  /** The bytes that slow clients have not read yet. */
  get waitingBytes() {
    return this.streams().reduce((bytes, stream) => bytes + stream.waitingBytes, 0)
  }

  streams() {
    return [...this.#groups.values()].flatMap((group) => group.streams())
  }

  /** Passes on an emission of this process. */
  emit(key: string, payload: unknown) {
    if (this.#groups.size === 0 && !this.#given.history) return
    const json = JSON.stringify(payload) ?? 'null'
    this.#push(this.#frameOf(this.#seq + 1, { key, json, payload }))
  }

  /** Passes on an event of the log. */
  take(logged: LoggedEvent) {
    this.#push(this.frameOf(logged), logged.emittedAt)
  }

  /** An emission without known recipients goes to no stream, but keeps its position. */
  frameOf({ name: key, json, position }: Pick<LoggedEvent, 'name' | 'json' | 'position'>): Frame {
    try {
      const { showing } = this.#given
      const isRead = this.selection.readsPayload(key) || showing.has(key)
      const payload: unknown = isRead ? JSON.parse(json) : undefined
      return this.#frameOf(position, { key, json, payload })
    } catch (error) {
      this.#given.log.error({ err: error, event: key }, 'an event cannot be streamed')
      const epoch = this.#epoch
      const names = { key, name: key, wireName: key }
      return { epoch, seq: position, ...names, json, payload: undefined, subjects: [] }
    }
  }

  /** Numbers continue after this one. */
  beginAfter(seq: number, epoch = this.#epoch) {
    this.#seq = seq
    this.#epoch = epoch
    this.#given.history?.beginAfter(seq)
  }

  /** Tells every stream that it may have missed something. */
  tellGap(reason: string, seq = this.#seq + 1) {
    const json = JSON.stringify({ reason })
    const epoch = this.#epoch
    const names = { key: gap, name: gap, wireName: gap }
    this.#push({ epoch, seq, ...names, json, payload: undefined, subjects: undefined })
    this.#given.presence?.lost()
  }

  #frameOf(seq: number, { key, json, payload }: Emitted): Frame {
    const { observer, showing } = this.#given
    const subjects = this.selection.subjectsOf(key, payload)
    // A filter is called later, when the emitter may have changed the payload, so it checks what is
    // sent.
    const sent = this.selection.isFiltered(key) ? JSON.parse(json) : undefined
    const shown = shownAs(showing.get(key), { key, json, payload })
    // Streams are not always told which subjects come and go. Then nothing would end the step.
    const isWatched = shown.wireName === shown.name
    const written = isWatched && observer ? this.#watch(shown.name, observer) : undefined
    return { epoch: this.#epoch, seq, key, payload: sent, ...shown, subjects, written }
  }

  #push(frame: Frame, at?: number) {
    this.#seq = frame.seq
    this.#given.history?.add(frame, at)
    const { presence } = this.#given
    if (presence && frame.wireName === presenceFrame && !presence.take(frame)) return
    for (const group of this.#groupsFor(frame.name)) group.push(frame)
  }

  #groupsFor(name: string): Iterable<Group> {
    return name === gap ? this.#groups.values() : (this.#byName.get(name) ?? [])
  }

  /** Returns the function that each group calls when it is done. The last call ends the step. */
  #watch(name: string, observer: Observer) {
    const groups = [...this.#groupsFor(name)]
    if (groups.length === 0) return undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    const streams = groups.reduce((sum, group) => sum + group.size, 0)
    void observer.around({ kind: 'fan-out', name, streams }, () => promise)
    let left = groups.length
    return () => {
      left -= 1
      if (left === 0) resolve()
    }
  }

  /** From here on, the stream gets the emissions. */
  add(stream: Stream, names: readonly string[], form: StreamForm) {
    stream.since = this.#seq
    this.#join(stream, names, form)
    this.selection.add(stream)
    this.#given.presence?.show(stream, names, form)
  }

  /**
   * Moves the stream to other events. Pending frames of its old names are written first, so that
   * none is left out.
   */
  move(stream: Stream, names: readonly string[]) {
    const group = this.#groups.get(stream.home?.key ?? '')
    if (!group) return
    const unsent = group.unsent(stream).filter((frame) => isAbout(frame, names))
    if (unsent.length > 0) stream.write(group.form.encode(unsent), unsent.length)
    this.#leave(stream)
    stream.since = this.#seq
    if (!stream.isOpen) return
    this.#join(stream, names, group.form)
    this.#given.presence?.show(stream, names, group.form)
  }

  remove(stream: Stream) {
    this.#leave(stream)
    this.selection.remove(stream)
  }

  #join(stream: Stream, names: readonly string[], form: StreamForm) {
    const key = [form.name, ...names.toSorted()].join('\n')
    const given = { selection: this.selection, slices: this.#given.slices }
    const group = this.#groups.get(key) ?? this.#register(new Group({ key, names, form }, given))
    stream.home = group
    group.add(stream)
  }

  #leave(stream: Stream) {
    const { home } = stream
    if (!home) return
    stream.home = undefined
    home.remove(stream)
    if (home.size > 0) return
    this.#groups.delete(home.key)
    for (const name of home.names) {
      const groups = this.#byName.get(name)
      groups?.delete(home as Group)
      if (groups?.size === 0) this.#byName.delete(name)
    }
  }

  #register(group: Group) {
    this.#groups.set(group.key, group)
    for (const name of group.names) {
      this.#byName.set(name, (this.#byName.get(name) ?? new Set()).add(group))
    }
    return group
  }
}
