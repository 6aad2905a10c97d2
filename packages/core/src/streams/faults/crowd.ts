import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { loadavg } from 'node:os'
import { performance } from 'node:perf_hooks'

export interface Place {
  port: number
  user?: string
  key?: string
}

/** A cheap connection: ten thousand of them fit into a process beside the code that measures. */
export class CheapStream {
  readonly socket: Socket
  /** The numbers of the ticks that have arrived. */
  readonly got: number[] = []
  /** When it was told that it may have missed some. */
  readonly gaps: number[] = []
  /** How long each tick was on its way. */
  readonly latencies: number[] = []
  readonly closed: Promise<void>
  status = 0
  retry: number | undefined
  /** The body has its last chunk. */
  isComplete = false
  #text = ''
  #opened = Promise.withResolvers<void>()
  #answered: ((body: string) => void) | undefined

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.socket.setEncoding('latin1')
    this.socket.on('error', () => {})
    this.closed = new Promise((resolve) => {
      this.socket.once('close', () => {
        this.#opened.resolve()
        this.#answered?.('')
        resolve()
      })
    })
    this.socket.on('data', (text: string) => this.#read(text))
  }

  /**
   * Gets a token and spends it, on one connection. Resolves when the stream is open, refused, or
   * cut off.
   */
  async open(place: Place) {
    const token = await this.token(place)
    return token ? this.stream(token) : this
  }

  async token({ user = 'u1', key = '' }: Place) {
    const headers = `host: localhost\r\ntest-user: ${user}\r\ntest-key: ${key}\r\ncontent-length: 0\r\n`
    const answered = new Promise<string>((resolve) => {
      this.#answered = resolve
    })
    this.socket.write(`POST /events/token HTTP/1.1\r\n${headers}\r\n`)
    const body = await answered
    this.#answered = undefined
    return /"token":"([^"]+)"/.exec(body)?.[1]
  }

  async stream(token: string) {
    const target = `/events/stream?events=tick&token=${token}`
    this.socket.write(`GET ${target} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    await this.#opened.promise
    return this
  }

  #read(text: string) {
    this.#text += text
    if (this.#answered) return this.#readAnswer()
    if (this.status === 0) this.#readHead()
    if (this.status === 200) this.#readFrames()
  }

  #readAnswer() {
    const head = /^HTTP\/1\.1 (\d+)[^]*?content-length: (\d+)[^]*?\r\n\r\n/i.exec(this.#text)
    if (!head || this.#text.length < head[0].length + Number(head[2])) return
    const body = this.#text.slice(head[0].length)
    this.#text = ''
    if (head[1] !== '200') this.status = Number(head[1])
    this.#answered?.(body)
  }

  #readHead() {
    if (!this.#text.includes('\r\n\r\n')) return
    this.status = Number(/^HTTP\/1\.1 (\d+)/.exec(this.#text)?.[1])
    this.#opened.resolve()
  }

  #readFrames() {
    if (this.#text.endsWith('\r\n0\r\n\r\n')) this.isComplete = true
    const end = this.#text.lastIndexOf('\n\n')
    if (end < 0) return
    const frames = this.#text.slice(0, end)
    this.#text = this.#text.slice(end)
    const now = performance.timeOrigin + performance.now()
    for (const [, n, at] of frames.matchAll(/"n":(\d+),"at":([\d.]+)/g)) {
      this.got.push(Number(n))
      this.latencies.push(now - Number(at))
    }
    for (const _ of frames.matchAll(/^event: gap$/gm)) this.gaps.push(performance.now())
    const retry = /^retry: (\d+)/m.exec(frames)
    if (retry) this.retry = Number(retry[1])
  }
}

/** Opens so many streams, a hundred at a time. */
export async function openCrowd(count: number, place: Place, at = 100): Promise<CheapStream[]> {
  const crowd: CheapStream[] = []
  while (crowd.length < count) {
    const some = Array.from({ length: Math.min(at, count - crowd.length) }, async () => {
      const stream = new CheapStream(place.port)
      await once(stream.socket, 'connect')
      return stream.open(place)
    })
    crowd.push(...(await Promise.all(some)))
  }
  return crowd
}

export function leave(crowd: readonly CheapStream[]) {
  for (const { socket } of crowd) socket.destroy()
}

/** The first number that is not one more than the one before; undefined where there is no gap. */
export function firstGap({ got }: { readonly got: readonly number[] }) {
  return got.find((n, at) => at > 0 && n !== (got[at - 1] ?? 0) + 1)
}

export function quantile(values: readonly number[], part: number) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** Prints the measurements, and how busy the machine was, because others use it too. */
export function print(facts: Record<string, number | string>) {
  const rounded = Object.entries(facts).map(
    ([name, fact]) => `${name} ${typeof fact === 'number' ? Math.round(fact * 10) / 10 : fact}`,
  )
  process.stdout.write(`${rounded.join(', ')} (load ${loadavg()[0]?.toFixed(1)})\n`)
}
