/** One message of an event stream, according to the grammar. */
export interface ParsedMessage {
  readonly event: string
  readonly data: string
  readonly id: string
  /** Whether the id came with it. Otherwise it is that of an earlier message. */
  readonly hasId: boolean
}

// In characters. A stream with a longer message is not an event stream.
const longestMessage = 8 * 1024 * 1024

/** The grammar of https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream. */
export class EventStreamParser {
  /** How long to wait before reconnecting, if the stream has said so. */
  retryMillis: number | undefined
  /** The last id of the stream. */
  lastEventId: string
  readonly #decoder = new TextDecoder()
  #unfinished = ''
  #endedInCR = false
  #event = ''
  #lines: string[] = []
  #size = 0
  #id: string
  #hasId = false

  constructor(lastEventId = '') {
    // A message without an id, such as the first one after a reconnect, keeps the old id.
    this.lastEventId = lastEventId
    this.#id = lastEventId
  }

  /** The messages that these bytes complete. */
  *push(bytes: Uint8Array): Generator<ParsedMessage, void> {
    let text = this.#decoder.decode(bytes, { stream: true })
    if (text === '') return
    // The second half of a CRLF.
    if (this.#endedInCR && text.startsWith('\n')) text = text.slice(1)
    this.#endedInCR = text.endsWith('\r')
    let start = 0
    for (const { 0: end, index } of text.matchAll(/\r\n|\r|\n/g)) {
      const message = this.#take(this.#unfinished + text.slice(start, index))
      this.#unfinished = ''
      start = index + end.length
      if (message) yield message
    }
    this.#unfinished += text.slice(start)
    this.#refuseEndless()
  }

  #take(line: string) {
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    if (colon === 0) return undefined
    if (colon < 0) return this.#field(line, '')
    const value = line.slice(colon + 1)
    return this.#field(line.slice(0, colon), value.startsWith(' ') ? value.slice(1) : value)
  }

  #field(name: string, value: string) {
    if (name === 'event') this.#event = value
    else if (name === 'data') this.#addData(value)
    else if (name === 'id' && !value.includes('\0')) this.#takeId(value)
    else if (name === 'retry' && /^[0-9]+$/.test(value)) this.retryMillis = Number(value)
    return undefined
  }

  #takeId(id: string) {
    this.#id = id
    this.#hasId = true
  }

  #addData(line: string) {
    this.#lines.push(line)
    this.#size += line.length + 1
    this.#refuseEndless()
  }

  #dispatch(): ParsedMessage | undefined {
    const event = this.#event || 'message'
    const lines = this.#lines
    const id = this.#id
    const hasId = this.#hasId
    this.lastEventId = id
    this.#event = ''
    this.#lines = []
    this.#size = 0
    this.#hasId = false
    return lines.length > 0 ? { event, data: lines.join('\n'), id, hasId } : undefined
  }

  #refuseEndless() {
    if (this.#unfinished.length + this.#size > longestMessage) {
      throw new RangeError(`A message of the stream is over ${longestMessage} characters.`)
    }
  }
}
