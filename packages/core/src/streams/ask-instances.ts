import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { Cache } from '../cache/cache.ts'

/** This process as an instance. */
export interface Self {
  /** Distinguishes it from the others: eight hexadecimal digits. */
  readonly id: string
  /** How it reaches the others; undefined if there are none. */
  readonly shared:
    | {
        readonly cache: Pick<Cache, 'publish' | 'subscribe' | 'countsEveryInstance'>
        readonly channelPrefix: string
      }
    | undefined
}

/**
 * This instance's answer to another one; null if it can't answer, for example a question of a later
 * release.
 */
type Answering<Question, Answer> = (question: Question) => Answer | null | Promise<Answer | null>

interface Given<Question, Answer> extends NonNullable<Self['shared']> {
  /** The topic of the questions. No event has such a name. */
  readonly topic: `~${string}`
  readonly self: string
  readonly answer: Answering<Question, Answer>
}

interface Asked<Answer> {
  readonly answers: readonly Answer[]
  /** How many other instances were asked; undefined if the cache does not know. */
  readonly asked: number | undefined
}

interface Sent<Question> {
  readonly id: string
  readonly from: string
  /** The receiver: all others unless set. */
  readonly to?: string
  readonly question: Question
}

/** An instance that has not answered by then is busy or gone. */
const patienceMillis = 1000

/** The pause before a failed subscription is tried again. */
const subscribeMillis = 10_000

/** How this instance asks the others about a topic; undefined if there are none. */
export function askInstances<Question, Answer>(
  { id: self, shared }: Self,
  topic: `~${string}`,
  answer: Answering<Question, Answer>,
) {
  return shared && new Instances<Question, Answer>({ ...shared, topic, self, answer })
}

/** Asks the other instances questions over the cache, and answers theirs. */
export class Instances<Question, Answer> {
  readonly #given: Given<Question, Answer>
  readonly #channel: string
  readonly #apart = AsyncLocalStorage.snapshot()
  #leave: (() => Promise<void>) | undefined
  #reopening: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(given: Given<Question, Answer>) {
    this.#given = given
    this.#channel = `${given.channelPrefix}${given.topic}`
  }

  /** From here on, questions of the others are answered. */
  async open() {
    try {
      const leave = await this.#given.cache.subscribe(this.#channel, (sent) => this.#hear(sent))
      if (this.#isClosed) await leave()
      else this.#leave = leave
    } catch {
      if (!this.#isClosed) this.#openLater()
    }
  }

  /**
   * Ends when all have answered, when the answers are enough, or when the time is over. Throws the
   * errors of the cache.
   */
  ask(
    question: Question,
    isEnough: (answer: Answer) => boolean = () => false,
  ): Promise<Asked<Answer>> {
    return this.#send({ question }, isEnough)
  }

  /** Undefined if it has not answered in time. */
  async askOne(to: string, question: Question): Promise<Answer | undefined> {
    const { answers } = await this.#send({ to, question }, () => true)
    return answers[0]
  }

  async #send(
    given: Pick<Sent<Question>, 'to' | 'question'>,
    isEnough: (answer: Answer) => boolean,
  ): Promise<Asked<Answer>> {
    const { cache, self: from } = this.#given
    const id = randomUUID()
    const { answers, hear, complete, expect } = gathering(isEnough)
    const leave = await cache.subscribe(this.#answersTo(id), hear)
    try {
      const sent: Sent<Question> = { id, from, ...given }
      const reached = await cache.publish(this.#channel, JSON.stringify(sent))
      const asked = cache.countsEveryInstance ? reached - (this.#leave ? 1 : 0) : undefined
      // If only one is asked, the others do not answer.
      if (given.to === undefined) expect(asked)
      await complete
      return { answers, asked }
    } finally {
      leave().catch(() => {})
    }
  }

  async close() {
    this.#isClosed = true
    clearTimeout(this.#reopening)
    await this.#leave?.().catch(() => {})
  }

  #answersTo(id: string) {
    return `${this.#channel}:${id}`
  }

  #hear(message: string) {
    const { cache, self, answer } = this.#given
    const { id, from, to = self, question } = JSON.parse(message) as Sent<Question>
    if (from === self || to !== self) return
    // An instance that misses this counts fewer instances.
    const say = async () =>
      cache.publish(this.#answersTo(id), JSON.stringify(await answer(question)))
    this.#apart(() => void say().catch(() => {}))
  }

  #openLater() {
    this.#reopening = setTimeout(() => void this.open(), subscribeMillis).unref()
  }
}

/** Collects the answers until they are complete. */
function gathering<Answer>(isEnough: (answer: Answer) => boolean) {
  const answers: Answer[] = []
  const { promise: complete, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, patienceMillis)
  let heard = 0
  let expected = Infinity
  const look = () => {
    if (heard < expected) return
    clearTimeout(timer)
    resolve()
  }
  const hear = (message: string) => {
    heard += 1
    const answer = JSON.parse(message) as Answer | null
    if (answer !== null) answers.push(answer)
    if (answer !== null && isEnough(answer)) expected = 0
    look()
  }
  const expect = (asked = Infinity) => {
    expected = Math.min(expected, asked)
    look()
  }
  return { answers, complete, hear, expect }
}
