import { isThenable } from '../../infrastructure/infrastructure.ts'
import type { Log } from '../../observation/observation.ts'
import type { StreamAuthOptions } from '../access/stream-options.ts'
import type { Frame } from './frame.ts'
import type { Stream } from './stream.ts'

const filterFailed = 'a filter of a stream failed'

type Options = Pick<StreamAuthOptions, 'filter' | 'recipients'>

/** Selects the streams that get an emission, among those that asked for its event. */
export class Selection {
  readonly #options: Options
  readonly #log: Pick<Log, 'error'>
  readonly #bySubject = new Map<string, Set<Stream>>()

  constructor(options: Options, log: Pick<Log, 'error'>) {
    this.#options = options
    this.#log = log
  }

  /**
   * The recipients of an emission; undefined if it is for every stream. It throws the errors of the
   * application's code.
   */
  subjectsOf(name: string, payload: unknown) {
    const recipients = own(this.#options.recipients, name)
    if (!recipients) return undefined
    const subjects: unknown = recipients(payload)
    if (!isThenable(subjects)) return [subjects as string | readonly string[]].flat()
    subjects.then(undefined, this.#report('the recipients of an event failed'))
    throw new TypeError('The recipients of an event are to be answered at once, not by a promise.')
  }

  /** Whether a rule of the application reads the payloads of this name. */
  readsPayload(name: string) {
    return this.isFiltered(name) || own(this.#options.recipients, name) !== undefined
  }

  isFiltered(name: string) {
    return own(this.#options.filter, name) !== undefined
  }

  isSelective({ key, subjects }: Frame) {
    return subjects !== undefined || this.isFiltered(key)
  }

  /** Whether the application's rules allow a frame. A stream without a subject is no recipient. */
  isFor(frame: Frame, { grant }: Stream) {
    const subject = grant?.subject
    if (frame.subjects && (subject === undefined || !frame.subjects.includes(subject))) return false
    const filter = own(this.#options.filter, frame.key)
    return !filter || (subject !== undefined && this.#passes(() => filter(subject, frame.payload)))
  }

  /**
   * A rule that throws allows nothing, and neither does an asynchronous one: a promise is no
   * consent.
   */
  #passes(ask: () => unknown) {
    try {
      const answer = ask()
      if (!isThenable(answer)) return answer !== false
      answer.then(undefined, this.#report(filterFailed))
    } catch (error) {
      this.#report(filterFailed)(error)
    }
    return false
  }

  /** Handles rejections as well: an unhandled one would end the process. */
  #report(what: string) {
    return (error: unknown) => this.#log.error({ err: error }, what)
  }

  streamsOf(subject: string): readonly Stream[] {
    return [...(this.#bySubject.get(subject) ?? [])]
  }

  add(stream: Stream) {
    const { grant } = stream
    // The index costs memory for each stream, so it exists only if it is needed.
    if (!this.#options.recipients || !grant) return
    const streams = this.#bySubject.get(grant.subject) ?? new Set()
    this.#bySubject.set(grant.subject, streams.add(stream))
  }

  remove(stream: Stream) {
    const { grant } = stream
    const streams = grant && this.#bySubject.get(grant.subject)
    if (!streams) return
    streams.delete(stream)
    if (streams.size === 0) this.#bySubject.delete(grant.subject)
  }
}

/** An event may have the name of a member that every object has. */
function own<Rule>(rules: Record<string, Rule> | undefined, name: string) {
  return rules && Object.hasOwn(rules, name) ? rules[name] : undefined
}
