/** Sends all logins at the same moment, each on a connection of its own. */
import { Agent, request } from 'node:http'

export interface Login {
  url: string
  headers: Record<string, string>
  body: string
}

export interface LoginAnswer {
  /** 0 when there was none. */
  status: number
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
    const settle = (status: number) => resolve({ status, millis: performance.now() - startedAt })
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', () => settle(response.statusCode ?? 0))
    })
    sent.on('error', () => settle(0))
    sent.end(body)
  })
}

async function storm(logins: Login[]): Promise<LoginStorm> {
  const agent = new Agent({ keepAlive: false })
  const startedAt = Date.now()
  const answers = await Promise.all(logins.map((login) => logIn(login, agent)))
  return { startedAt, endedAt: Date.now(), answers }
}

process.on('message', (logins) => {
  // Our own protocol.
  void storm(logins as Login[]).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())
