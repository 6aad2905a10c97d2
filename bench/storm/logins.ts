/** People who log in at the same moment, each on a connection of its own: once, or again and again. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Login {
  url: string
  headers: Record<string, string>
  body: string
}

export interface LoginAnswer {
  /** 0 when there was none. */
  status: number
  millis: number
  retryAfterSeconds: number
}

export interface LoginOrder {
  logins: Login[]
  people: number
  millis: number
}

export interface LoginStorm {
  startedAt: number
  endedAt: number
  answers: LoginAnswer[]
}

function logIn({ url, headers, body }: Login, agent: Agent) {
  const startedAt = performance.now()
  return new Promise<LoginAnswer>((resolve) => {
    const settle = (status: number, retryAfterSeconds = 0) =>
      resolve({ status, millis: performance.now() - startedAt, retryAfterSeconds })
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      const retryAfterSeconds = Number(response.headers['retry-after'] ?? 0)
      response.on('end', () => settle(response.statusCode ?? 0, retryAfterSeconds))
    })
    sent.on('error', () => settle(0))
    sent.end(body)
  })
}

async function storm({ logins, people, millis }: LoginOrder): Promise<LoginStorm> {
  const agent = new Agent({ keepAlive: false })
  const answers: LoginAnswer[] = []
  const startedAt = Date.now()
  let next = 0
  async function person() {
    do {
      const login = logins[next++ % logins.length]
      if (!login) return
      const answer = await logIn(login, agent)
      answers.push(answer)
      // Who is refused comes again when told to, and not after the end.
      const left = startedAt + millis - Date.now()
      await sleep(Math.max(0, Math.min(left, answer.retryAfterSeconds * 1000)))
    } while (Date.now() < startedAt + millis)
  }
  await Promise.all(Array.from({ length: people }, person))
  return { startedAt, endedAt: Date.now(), answers }
}

process.on('message', (order) => {
  // Our own protocol.
  void storm(order as LoginOrder).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())
