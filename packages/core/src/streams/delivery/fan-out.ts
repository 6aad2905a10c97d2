import type { Log, Observer } from '../../observation/observation.ts'
import type { StreamAuthOptions } from '../access/stream-options.ts'
import type { Frame, StreamForm } from './frame.ts'
import { Group } from './group.ts'
import type { History } from './history.ts'
import { Selection } from './selection.ts'
import type { Slices } from './slices.ts'
import type { Stream } from './stream.ts'

interface Given {
  readonly auth: Pick<StreamAuthOptions, 'filter' | 'recipients'>
  readonly log: Pick<Log, 'error'>
  readonly slices: Slices
  readonly history: History | undefined
  readonly observer?: Observer | undefined
}

/** Takes every emission of one router's events to the streams that are to have it. */
export class FanOut {
  readonly #given: Given
  readonly #selection: Selection
  readonly #groups = new Map<string, Group>()
  #seq = 0

  constructor(given: Given) {
    this.#given = given
    this.#selection = new Selection(given.auth, given.log)
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

  /** What slow clients have not taken yet. */
  get waitingBytes() {
    return this.streams().reduce((bytes, stream) => bytes + stream.waitingBytes, 0)
  }

  streams() {
    return [...this.#groups.values()].flatMap((group) => group.streams())
  }

  emit(name: string, payload: unknown) {
    const { history, observer } = this.#given
    if (this.#groups.size === 0 && !history) return
    const json = JSON.stringify(payload) ?? 'null'
    const subjects = this.#selection.subjectsOf(name, payload)
    // A filter is asked later, when whoever has the payload may have made it another's: it judges what is sent.
    const sent = this.#selection.isFiltered(name) ? JSON.parse(json) : undefined
    const written = observer && this.#watch(name, observer)
    const frame: Frame = { seq: ++this.#seq, name, payload: sent, json, subjects, written }
    history?.add(frame)
    for (const group of this.#groups.values()) if (group.names.includes(name)) group.push(frame)
  }

  /** Answers what each group calls when it is through: the last one ends the step. */
  #watch(name: string, observer: Observer) {
    const groups = [...this.#groups.values()].filter((group) => group.names.includes(name))
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

  /** From here on the stream gets what is emitted. */
  add(stream: Stream, names: readonly string[], form: StreamForm) {
    stream.since = this.#seq
    this.#join(stream, names, form)
    this.#selection.add(stream)
  }

  /** To other events. What is on its way and still its own is written first: no frame is left out. */
  move(stream: Stream, names: readonly string[]) {
    const group = this.#groups.get(stream.home?.key ?? '')
    if (!group) return
    const unsent = group.unsent(stream).filter(({ name }) => names.includes(name))
    if (unsent.length > 0) stream.write(group.form.encode(unsent), unsent.length)
    this.#leave(stream)
    stream.since = this.#seq
    if (stream.isOpen) this.#join(stream, names, group.form)
  }

  remove(stream: Stream) {
    this.#leave(stream)
    this.#selection.remove(stream)
  }

  #join(stream: Stream, names: readonly string[], form: StreamForm) {
    const key = [form.name, ...names.toSorted()].join('\n')
    const given = { selection: this.#selection, slices: this.#given.slices }
    const group = this.#groups.get(key) ?? new Group({ key, names, form }, given)
    this.#groups.set(key, group)
    stream.home = group
    group.add(stream)
  }

  #leave(stream: Stream) {
    const { home } = stream
    if (!home) return
    stream.home = undefined
    home.remove(stream)
    if (home.size === 0) this.#groups.delete(home.key)
  }

  /** What a stream has missed since a frame; null when that is not known any more. */
  missed(stream: Stream, names: readonly string[], lastId: string): Frame[] | null {
    const frames = this.#given.history?.after(lastId) ?? null
    return (
      frames &&
      frames.filter((frame) => names.includes(frame.name) && this.#selection.isFor(frame, stream))
    )
  }
}
