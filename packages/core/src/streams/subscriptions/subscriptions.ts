import { randomBytes } from 'node:crypto'
import {
  ForbiddenError,
  type InvalidField,
  NotFoundError,
  ServiceUnavailableError,
  UnauthorizedError,
  ValidationError,
} from '../../errors/contract.ts'
import type { Log } from '../../observation/observation.ts'
import { askInstances, type Instances, type Self } from '../ask-instances.ts'
import type { Stream } from '../delivery/stream.ts'
import type { Changed, RouterStreams } from '../router-streams.ts'
import type { NameChange } from '../stream-names.ts'

interface Given {
  readonly streams: Pick<RouterStreams, 'change'>
  readonly log: Pick<Log, 'error'>
  readonly self: Self
}

interface Question {
  readonly handle: string
  readonly change: NameChange
  /** The calling user; unset if streams are not authenticated. */
  readonly subject?: string
}

type Answer =
  | Changed
  | { readonly refusal: 'unknown' | 'forbidden' | 'failed' }
  | { readonly invalid: readonly InvalidField[] }

const fields = { add: 'body.subscribe', remove: 'body.unsubscribe' }

/**
 * Changes what open event streams follow, by requests beside them, which may reach any instance.
 */
export class Subscriptions {
  readonly #self: string
  readonly #given: Given
  readonly #streams = new Map<string, Stream>()
  readonly #instances: Instances<Question, Answer> | undefined

  constructor(given: Given) {
    this.#given = given
    this.#self = given.self.id
    const answer = (question: Question) =>
      this.#changeHere(question).catch((error: unknown) => this.#failed(error))
    this.#instances = askInstances(given.self, '~subscriptions', answer)
  }

  async start() {
    await this.#instances?.open()
  }

  async close() {
    await this.#instances?.close()
  }

  /** The client's name for it. Only the stream itself tells it, so no other client knows it. */
  handleOf(
    stream: Stream,
    connection: { on(event: 'close', listener: () => void): unknown },
  ): string {
    const handle = `${this.#self}-${randomBytes(16).toString('hex')}`
    this.#streams.set(handle, stream)
    connection.on('close', () => this.#streams.delete(handle))
    return handle
  }

  /** Returns what it follows then. */
  async change(question: Question): Promise<Changed> {
    const [instance = ''] = question.handle.split('-')
    const answer =
      instance === this.#self
        ? await this.#changeHere(question)
        : await this.#elsewhere(instance, question)
    return changedBy(answer)
  }

  /**
   * An instance that does not answer may be busy, and may still change the stream: the client asks
   * again.
   */
  async #elsewhere(instance: string, question: Question): Promise<Answer> {
    if (!this.#instances) return { refusal: 'unknown' }
    return (await this.#instances.askOne(instance, question)) ?? { refusal: 'failed' }
  }

  #failed(error: unknown): Answer {
    this.#given.log.error({ err: error }, 'a stream could not follow other events')
    return { refusal: 'failed' }
  }

  async #changeHere({ handle, change, subject }: Question): Promise<Answer> {
    const stream = this.#streams.get(handle)
    if (!stream || stream.grant?.subject !== subject) return { refusal: 'unknown' }
    try {
      return await this.#given.streams.change(stream, change, fields)
    } catch (error) {
      if (error instanceof ValidationError) return { invalid: error.fields }
      if (error instanceof ForbiddenError) return { refusal: 'forbidden' }
      // It has ended meanwhile.
      if (error instanceof UnauthorizedError) return { refusal: 'unknown' }
      throw error
    }
  }
}

function changedBy(answer: Answer): Changed {
  if ('events' in answer) return answer
  if ('invalid' in answer) throw new ValidationError({ fields: [...answer.invalid] })
  if (answer.refusal === 'unknown') throw new NotFoundError({ resource: 'Stream' })
  if (answer.refusal === 'failed') throw new ServiceUnavailableError()
  throw new ForbiddenError({ message: 'You may not follow any of these events.' })
}
