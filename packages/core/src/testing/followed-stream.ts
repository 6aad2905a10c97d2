import { type EventRouter, tokenPathOf } from '../events/contract.ts'
import type { OpenedStream, StreamPayload } from '../stream-client/client.ts'
import { EventStreamParser } from '../stream-client/event-stream-parser.ts'

/** For `follow` of a test server: the events to ask for, and how to make the requests. */
export interface FollowOptions<Router extends EventRouter> {
  /** What to ask for: the router's keys, and its channels as `orderChanged:o1`. */
  events: readonly ((keyof Router['events'] & string) | `${string}:${string}`)[]
  /** Makes each request, such as `signedFetch(key)` of this server. A plain request unless set. */
  fetch?: typeof fetch
  /** The stream's path. `/events/stream` unless set. */
  path?: `/${string}`
  /** Whether it needs a token, which `fetch` asks for. True where `fetch` is given. */
  needsToken?: boolean
}

/** An event that a followed stream has received. */
export interface Arrived<Payload = unknown> {
  readonly event: string
  readonly data: Payload
  readonly id: string
}

// Longer than any event takes, and shorter than a test may take.
const patienceMillis = 5000

/** An event stream that a test reads step by step. */
export class FollowedStream<Router extends EventRouter> {
  /** What the server said as it opened. */
  readonly opened: OpenedStream
  readonly #place: string
  readonly #options: FollowOptions<Router>
  readonly #leaving: AbortController
  readonly #arrived: Arrived[] = []
  #read = 0
  #lastEventId: string
  #isOver = false
  #wake = () => {}

  private constructor(
    opened: OpenedStream,
    given: {
      place: string
      options: FollowOptions<Router>
      leaving: AbortController
      lastEventId: string
    },
  ) {
    this.opened = opened
    this.#place = given.place
    this.#options = given.options
    this.#leaving = given.leaving
    this.#lastEventId = given.lastEventId
  }

  static async open<Router extends EventRouter>(
    place: string,
    options: FollowOptions<Router>,
    lastEventId = '',
  ): Promise<FollowedStream<Router>> {
    const leaving = new AbortController()
    const answer = await fetch(await addressOf(place, options), {
      headers: lastEventId ? { 'last-event-id': lastEventId } : {},
      signal: leaving.signal,
    })
    if (!answer.body || answer.status !== 200) {
      throw new Error(`The stream was refused: ${answer.status} ${await answer.text()}`)
    }
    const parser = new EventStreamParser(lastEventId)
    const messages = messagesOf(answer.body, parser)
    const { value: first } = await messages.next()
    const stream = new FollowedStream<Router>(first?.data as OpenedStream, {
      place,
      options,
      leaving,
      lastEventId: parser.lastEventId,
    })
    void stream.#keep(messages, parser)
    return stream
  }

  /** Where the next stream goes on. */
  get lastEventId() {
    return this.#lastEventId
  }

  /** The payload of the next event of this name that has not been read; those before it are passed over. */
  async next<Name extends keyof Router['events'] & string>(
    name: Name,
  ): Promise<StreamPayload<Router, Name>>
  async next(name: string): Promise<unknown>
  async next(name: string): Promise<unknown> {
    const end = performance.now() + patienceMillis
    for (;;) {
      for (; this.#read < this.#arrived.length; this.#read++) {
        const arrived = this.#arrived[this.#read]
        if (arrived?.event !== name) continue
        this.#read += 1
        return arrived.data
      }
      if (this.#isOver || performance.now() >= end) throw this.#missing(name)
      await this.#more(end - performance.now())
    }
  }

  /** Everything that has arrived. */
  get all(): readonly Arrived[] {
    return [...this.#arrived]
  }

  /** The connection is gone, as when a network breaks. */
  drop() {
    this.#leaving.abort()
  }

  /** Opens it again, here or at another instance, from where it has got to. */
  resume(place = this.#place): Promise<FollowedStream<Router>> {
    this.drop()
    return FollowedStream.open(place, this.#options, this.#lastEventId)
  }

  async #keep(messages: AsyncGenerator<Arrived, void>, parser: EventStreamParser) {
    try {
      for await (const message of messages) {
        this.#lastEventId = parser.lastEventId
        if (message.event !== 'ping') this.#arrived.push(message)
        this.#wake()
      }
    } catch {
      // It was dropped, here or there.
    }
    this.#isOver = true
    this.#wake()
  }

  #more(millis: number) {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, millis)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #missing(name: string) {
    const names = this.#arrived.map(({ event }) => event).join(', ') || 'nothing'
    const end = this.#isOver ? 'and the stream is over' : `within ${patienceMillis / 1000} s`
    return new Error(`No ${name} has come, ${end}. There came: ${names}.`)
  }
}

async function addressOf<Router extends EventRouter>(
  place: string,
  {
    events,
    path = '/events/stream',
    fetch: ask,
    needsToken = ask !== undefined,
  }: FollowOptions<Router>,
) {
  const url = new URL(path, place)
  url.search = `?events=${events.map(encodeURIComponent).join(',')}`
  if (!needsToken) return url
  const answer = await (ask ?? fetch)(`${place}${tokenPathOf(path)}`, { method: 'POST' })
  if (!answer.ok) throw new Error(`No token was issued: ${answer.status} ${await answer.text()}`)
  const { token } = (await answer.json()) as { token: string }
  url.searchParams.set('token', token)
  return url
}

async function* messagesOf(
  body: ReadableStream<Uint8Array>,
  parser: EventStreamParser,
): AsyncGenerator<Arrived, void> {
  for await (const bytes of body) {
    for (const { event, data, id } of parser.push(bytes)) {
      yield { event, data: JSON.parse(data), id }
    }
  }
}
