import { ServiceUnavailableError } from '../../errors/contract.ts'
import type { OpenStream, StreamList, StreamQuery } from '../../infrastructure/infrastructure.ts'
import { askInstances, type Instances, type Self } from '../ask-instances.ts'
import type { Stream } from '../delivery/stream.ts'
import { type OpenStreams, ownerOf } from '../open-streams.ts'
import type { RouterStreams } from '../router-streams.ts'
import { comparePlaces, readStreamId, type StreamPlace, streamIdOf } from './stream-id.ts'

interface Given {
  readonly open: OpenStreams
  readonly sse: RouterStreams | undefined
  readonly sockets: RouterStreams | undefined
  readonly self: Self
}

/** The most streams on a page. */
const mostOnPage = 100

type Question =
  | { readonly list: StreamQuery }
  | { readonly find: string }
  | { readonly end: string }

/** The answer of one instance: its streams for the page, or the one that was asked for. */
interface Answer {
  readonly instance: string
  readonly streams: readonly OpenStream[]
  /** How many of its streams match, and how many of them come after `after`. */
  readonly total: number
  readonly left: number
}

/** Lists the streams of all instances, for operators of the application. */
export class Inspector {
  readonly #self: string
  readonly #given: Given
  readonly #instances: Instances<Question, Answer> | undefined

  constructor(given: Given) {
    this.#given = given
    this.#self = given.self.id
    const answer = (question: Question) => this.#answer(question)
    this.#instances = askInstances(given.self, '~streams', answer)
  }

  async start() {
    await this.#instances?.open()
  }

  async close() {
    await this.#instances?.close()
  }

  async list(query: StreamQuery): Promise<StreamList> {
    const { answers, asked } = (await this.#instances?.ask({ list: query })) ?? noOthers
    const all = [this.#listHere(query), ...answers]
    const limit = limitOf(query)
    const streams = inOrder(all.flatMap((each) => each.streams)).slice(0, limit)
    const sum = (count: (answer: Answer) => number) => all.reduce((so, each) => so + count(each), 0)
    const next = sum(({ left }) => left) > limit ? streams.at(-1)?.id : undefined
    return {
      streams,
      total: sum(({ total }) => total),
      ...(next !== undefined && { next }),
      isShared: this.#instances !== undefined,
      instances: { answered: all.length, ...(asked !== undefined && { asked: asked + 1 }) },
    }
  }

  find(id: string) {
    return this.#ofOne(id, { find: id })
  }

  end(id: string) {
    return this.#ofOne(id, { end: id })
  }

  async #ofOne(id: string, question: Question): Promise<OpenStream | null> {
    const place = readStreamId(id)
    if (!place) return null
    if (place.instance === this.#self) return this.#answer(question)?.streams[0] ?? null
    if (!this.#instances) return null
    const isIts = ({ instance }: Answer) => instance === place.instance
    const { answers, asked } = await this.#instances.ask(question, isIts)
    const its = answers.find(isIts)
    if (its) return its.streams[0] ?? null
    // The stream may be on the one that has not answered. If the cache can't count instances, the
    // stream counts as gone.
    if (asked !== undefined && answers.length < asked) throw new ServiceUnavailableError()
    return null
  }

  #answer(question: Question): Answer | null {
    if ('list' in question) return this.#listHere(question.list)
    if ('find' in question) return this.#answerOne(this.#findHere(question.find))
    if ('end' in question) return this.#answerOne(this.#endHere(question.end))
    return null
  }

  #answerOne(stream: OpenStream | null): Answer {
    return { instance: this.#self, streams: stream ? [stream] : [], total: 0, left: 0 }
  }

  #findHere(id: string) {
    const stream = this.#streamHere(id)
    return stream ? this.#show(stream) : null
  }

  #endHere(id: string) {
    const stream = this.#streamHere(id)
    if (!stream) return null
    const shown = this.#show(stream)
    stream.end('ended')
    return shown
  }

  #streamHere(id: string) {
    const place = readStreamId(id)
    if (place?.instance !== this.#self) return undefined
    return this.#all().find(
      ({ number, openedAtMillis }) =>
        number === place.number && openedAtMillis === place.openedAtMillis,
    )
  }

  #listHere(query: StreamQuery): Answer {
    const after = query.after === undefined ? null : readStreamId(query.after)
    const newest = new Newest(limitOf(query))
    let total = 0
    let left = 0
    // Most of them are in the order in which they were opened, so the first ones checked are the
    // newest.
    for (const stream of this.#candidates(query).toReversed()) {
      if (!isMeant(stream, query)) continue
      total += 1
      if (after && comparePlaces(after, this.#placeOf(stream)) >= 0) continue
      left += 1
      newest.add(stream)
    }
    const streams = newest.streams.map((stream) => this.#show(stream))
    return { instance: this.#self, streams, total, left }
  }

  #candidates({ owner }: StreamQuery) {
    const streams = owner === undefined ? this.#all() : this.#given.open.of(owner)
    return streams.filter(({ isStarted }) => isStarted)
  }

  #all(): Stream[] {
    const { sse, sockets } = this.#given
    return [...(sse?.streams() ?? []), ...(sockets?.streams() ?? [])]
  }

  #placeOf({ openedAtMillis, number }: Stream): StreamPlace {
    return { openedAtMillis, number, instance: this.#self }
  }

  #show(stream: Stream): OpenStream {
    const { grant, address, keeper, openedAtMillis } = stream
    const { sse, sockets } = this.#given
    const isSse = keeper === sse
    return {
      id: streamIdOf(this.#placeOf(stream)),
      kind: isSse ? 'sse' : 'websocket',
      ...(grant && { subject: grant.subject, owner: ownerOf(grant) }),
      ...(grant?.credential !== undefined && { credential: grant.credential }),
      events: (isSse ? sse : sockets)?.eventsOf(stream) ?? [],
      openedAt: new Date(openedAtMillis).toISOString(),
      ...(address !== null && { address }),
      waitingBytes: stream.waitingBytes,
      instance: this.#self,
    }
  }
}

const noOthers = { answers: [], asked: 0 }

function isMeant({ grant }: Stream, { subject }: StreamQuery) {
  return subject === undefined || grant?.subject === subject
}

function limitOf({ limit = 20 }: StreamQuery) {
  return Math.min(limit, mostOnPage)
}

function inOrder(streams: readonly OpenStream[]) {
  const placed = streams.flatMap((stream) => {
    const place = readStreamId(stream.id)
    return place ? [{ stream, place }] : []
  })
  return placed
    .toSorted((one, other) => comparePlaces(one.place, other.place))
    .map(({ stream }) => stream)
}

/** Keeps the newest of many, without sorting all of them. */
class Newest {
  readonly streams: Stream[] = []
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  add(stream: Stream) {
    const { streams } = this
    const last = streams.at(-1)
    if (streams.length === this.#most && last && !isNewer(stream, last)) return
    const behind = streams.findLastIndex((each) => !isNewer(stream, each))
    streams.splice(behind + 1, 0, stream)
    if (streams.length > this.#most) streams.pop()
  }
}

function isNewer(one: Stream, other: Stream) {
  return one.openedAtMillis === other.openedAtMillis
    ? one.number > other.number
    : one.openedAtMillis > other.openedAtMillis
}
