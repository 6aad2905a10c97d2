import { ApiUnreachableError, errorFrom } from '../call/errors.ts'
import { EventStreamParser, type ParsedMessage } from './event-stream-parser.ts'
import {
  type Ask,
  type Attempt,
  drop,
  type End,
  gapBy,
  openedBy,
  type Source,
  type SourceListener,
  type Told,
  verdictOf,
} from './source.ts'
import { streamUrl } from './stream-url.ts'

/** A request beside an open event stream, to follow other events. */
export interface StreamChange {
  /** The name that the stream has given itself. */
  readonly stream: string
  readonly subscribe?: readonly string[]
  readonly unsubscribe?: readonly string[]
}

export interface SseSourceOptions {
  readonly place: () => URL
  readonly credentials: RequestCredentials
  readonly sendChange: (change: StreamChange) => Promise<Told>
}

/**
 * Server-sent events over fetch: a browser's EventSource shows no status, and can't be given a
 * fresh token.
 */
export function sseSource(options: SseSourceOptions): Source {
  return {
    isPinged: true,
    run: (attempt, listener) => readEvents(options, attempt, listener),
  }
}

async function readEvents(
  options: SseSourceOptions,
  attempt: Attempt,
  listener: SourceListener,
): Promise<End> {
  const { events = [], token, lastEventId } = attempt
  const place = options.place()
  const answer = await fetch(streamUrl(place, { events, token }), {
    headers: { accept: 'text/event-stream', ...resumption(lastEventId) },
    credentials: options.credentials,
    cache: 'no-store',
    signal: attempt.signal,
  })
  listener.heard()
  if (answer.status === 204) return { verdict: 'over' }
  if (!answer.ok) return refusedBy(answer)
  const reader = isEventStream(answer) && answer.body?.getReader()
  if (!reader) return answeredByStranger(answer, place)
  const parser = new EventStreamParser(lastEventId)
  const pass = messagePasser(options, listener)
  for (;;) {
    const { done, value } = await reader.read()
    if (attempt.signal.aborted || done) break
    listener.heard()
    for (const message of parser.push(value)) pass(message)
    listener.reached(parser)
  }
  return drop('The stream has ended.')
}

/** According to the standard, which allows no other status. */
function isEventStream({ status, headers }: Response) {
  return (
    status === 200 && /^text\/event-stream[\t ]*(?:;|$)/i.test(headers.get('content-type') ?? '')
  )
}

/** Its address may be that of a redirect. The query contains a token. */
function answeredByStranger({ url, status, headers }: Response, place: URL): End {
  const { origin, pathname } = new URL(url || place)
  const type = headers.get('content-type') ?? 'without a content type'
  const message = `${origin}${pathname} answered ${status} ${type}, which is no event stream. Check the address of the stream, and a proxy before the API.`
  return { verdict: 'stranger', error: new ApiUnreachableError({ message }) }
}

// An id that no header can carry, or that no server accepts, is useless.
const sendableId = /^[\t\x20-\x7e\x80-\xff]{1,1024}$/

/** The id is sent as UTF-8. `fetch` takes a string of bytes. */
function resumption(lastEventId: string): Record<string, string> {
  const bytes = Array.from(new TextEncoder().encode(lastEventId), (byte) =>
    String.fromCharCode(byte),
  )
  const id = bytes.join('')
  return sendableId.test(id) ? { 'last-event-id': id } : {}
}

async function refusedBy(answer: Response): Promise<End> {
  const body: unknown = await answer.json().catch(() => undefined)
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return {
    verdict: verdictOf(answer.status),
    error: errorFrom(answer, body),
    ...(seconds >= 0 && { retryMillis: seconds * 1000 }),
  }
}

/** The first message says that the stream is open. Pings only say that it is alive. */
function messagePasser({ sendChange }: SseSourceOptions, listener: SourceListener) {
  let isOpen = false
  return ({ event, data, id, hasId }: ParsedMessage) => {
    if (event === 'ping') return listener.pinged()
    const content = parse(event, data)
    if (content === undefined) return
    const ownId = hasId ? id : undefined
    if (event === 'gap') return listener.gap(gapBy(content), ownId)
    if (isOpen || event !== 'connected') {
      return listener.message({ event, data: content, ...(id && { id }) }, ownId)
    }
    isOpen = true
    const { stream = '' } = (content ?? {}) as { stream?: string }
    const ask: Ask = (change) => sendChange({ stream, [change.type]: change.names })
    listener.opened(openedBy(content), ask, ownId)
  }
}

/** Undefined if it is not JSON. That is a fault of the server, and the connection is still good. */
function parse(event: string, json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    console.error(`The stream sent a message that is not JSON: ${event}`, error)
    return undefined
  }
}
