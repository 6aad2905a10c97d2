/**
 * People who log in at the same moment, each on a connection of its own: once, or repeatedly. It
 * uses raw sockets: on two cores, a client that costs as much as the server would spoil the
 * measurement.
 */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Login {
  url: string
  headers: Record<string, string>
  body: string
}

export interface LoginAnswer {
  /** 0 if there was none. */
  status: number
  millis: number
  retryAfterSeconds: number
  /** The place that is kept for a refused login; '' if there is none. */
  place: string
}

export interface LoginOrder {
  logins: Login[]
  people: number
  /** For how long they log in repeatedly; 0 means until all are signed in. */
  millis: number
}

export interface LoginStorm {
  startedAt: number
  endedAt: number
  answers: LoginAnswer[]
}

function bytesOf({ url, headers, body }: Login, place: string) {
  const { host, pathname } = new URL(url)
  const lines = Object.entries({
    host,
    connection: 'close',
    ...headers,
    ...(place && { 'x-svc-place': place }),
    'content-length': Buffer.byteLength(body),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

function logIn(login: Login, place: string) {
  const { hostname, port } = new URL(login.url)
  const bytes = bytesOf(login, place)
  const startedAt = performance.now()
  return new Promise<LoginAnswer>((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    // The bytes that have arrived show the answer, even if the connection was cut.
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('close', () => resolve(readAnswer(Buffer.concat(chunks).toString(), startedAt)))
  })
}

function readAnswer(text: string, startedAt: number): LoginAnswer {
  const textAfter = (pattern: RegExp) => pattern.exec(text)?.[1] ?? ''
  const numberAfter = (pattern: RegExp) => Number(textAfter(pattern))
  return {
    status: numberAfter(/^HTTP\/1\.1 (\d+)/),
    millis: performance.now() - startedAt,
    retryAfterSeconds: numberAfter(/\r\nretry-after: *(\d+)/i),
    place: textAfter(/"place":"([\w-]+)"/),
  }
}

async function storm({ logins, people, millis }: LoginOrder): Promise<LoginStorm> {
  const answers: LoginAnswer[] = []
  const startedAt = Date.now()
  const goesOn = () => millis > 0 && Date.now() < startedAt + millis
  const mayComeAgain = () => millis === 0 || goesOn()
  let next = 0
  async function person() {
    do {
      const login = logins[next++ % logins.length]
      if (!login) return
      await comeIn(login)
    } while (goesOn())
  }

  /** A refused login is retried when the server says so, but not after the end. */
  async function comeIn(login: Login) {
    let place = ''
    do {
      const answer = await logIn(login, place)
      answers.push(answer)
      if (answer.retryAfterSeconds === 0) return
      place = answer.place
      const left = millis > 0 ? startedAt + millis - Date.now() : Infinity
      await sleep(Math.max(0, Math.min(left, answer.retryAfterSeconds * 1000)))
    } while (mayComeAgain())
  }
  await Promise.all(Array.from({ length: people }, person))
  return { startedAt, endedAt: Date.now(), answers }
}

process.on('message', (order) => {
  // The message is of our own protocol.
  void storm(order as LoginOrder).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())
