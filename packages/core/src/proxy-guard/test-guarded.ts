import { afterAll } from 'vitest'
import { defineServer } from '../definition/define-server.ts'
import { clientAddress } from '../request/client-address.ts'
import { readBody } from '../request/read-body.ts'
import { route } from '../routes/route.ts'
import { defineRouter } from '../routes/router.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { proxySigner } from './client.ts'

export const secret = 'Yb0Ls9Uj4Hd7Gc2Ne5AiTqKf3vQm8ZpX'
export const older = 'Ne5AiTqKf3vQm8ZpXw1Rt6Yb0Ls9Uj4H'
export const browser = '203.0.113.9'

const router = defineRouter({
  getFrom: route.get('/from').handler((c) => clientAddress(c.raw)),
  postFrom: route.post('/from').handler(async (c) => {
    const body = await readBody(c.raw)
    return { from: clientAddress(c.raw), body: body.toString() }
  }),
})

interface Asked {
  at: Pick<TestServer, 'url' | 'clock'>
  method?: string
  path?: string
  body?: string
  address?: string
  nowMillis?: number
  key?: { keyId: string; secret: string }
}

/** The headers that the web proxy sends with a request. */
export function signed({ at, method = 'GET', path = '/from', body = '', ...given }: Asked) {
  const { address = browser, nowMillis = at.clock.now().getTime() } = given
  const sign = proxySigner(given.key ?? { keyId: 'new', secret })
  return sign({ method, url: `${at.url}${path}`, body, nowMillis }, address)
}

/** Servers that say where a request came from, for as long as the file runs. */
export function useGuardedServers() {
  const running: TestServer[] = []
  afterAll(() => Promise.all(running.map((server) => server.stop())))

  return async (env: Record<string, string> = {}) => {
    const definition = defineServer().routes(router).limits({ bodyBytes: 1000 })
    const server = await startTestServer(definition, {
      env: { SVC_HOST: '127.0.0.1', SVC_PROXY_SECRET: `new:${secret},old:${older}`, ...env },
    })
    running.push(server)
    return server
  }
}

export const get = (at: TestServer, headers: Record<string, string>, path = '/from') =>
  at.fetch(path, { headers })

export async function post(at: TestServer, headers: Record<string, string>, body: string) {
  const answer = await at.fetch('/from', { method: 'POST', headers, body })
  return answer.json()
}
