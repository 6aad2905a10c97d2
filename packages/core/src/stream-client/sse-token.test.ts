import { describe, expect, it, vi } from 'vitest'
import { UnauthorizedError } from '../contract.ts'
import { createAuthSSEClient } from './create-auth-sse-client.ts'
import {
  cuts,
  listen,
  opens,
  opensAndEnds,
  type Router,
  refuses,
  type Step,
  startScriptedServer,
  testClients,
  until,
  waitMillis,
} from './test-sse-client.ts'

const script = await startScriptedServer()
const { host } = script
const { kept, clientOf } = testClients(host)
const pathsAsked = () => script.requests.map(({ method, url }) => `${method} ${url}`)

describe('acquireToken', () => {
  it('mints a token for every attempt, which goes into the query (E-083, E-084)', async () => {
    script.steps = [opensAndEnds(), refuses(401, 'UnauthorizedError'), cuts]
    let minted = 0
    const { names } = listen(clientOf({ acquireToken: async () => `t&${++minted}` }))

    await until(() => expect(script.requests).toHaveLength(4))
    expect(script.requests.map(({ url }) => url)).toEqual(
      [1, 2, 3, 4].map((n) => `/events/stream?events=added&token=t%26${n}`),
    )
    await until(() => expect(names().at(-1)).toBe('open'))
    // The application is not told of the token that was refused: a fresh one helped (E-090).
    expect(names()).toEqual('open error reconnect reconnect error reconnect open'.split(' '))
  })

  it('is called three times more when its tokens are refused (E-090)', async () => {
    script.steps = Array.from({ length: 9 }, () => refuses(401, 'UnauthorizedError'))
    const { told, names } = listen(clientOf({ acquireToken: async () => 't' }))

    await until(() => expect(names()).toContain('close'))
    expect(names()).toEqual('reconnect reconnect reconnect rejected close'.split(' '))
    expect(told.at(-2)?.[1]).toBeInstanceOf(UnauthorizedError)
    expect(script.requests).toHaveLength(4)
  })

  it('refuses by what it throws, or drops (E-090)', async () => {
    const failures = [new TypeError('offline'), new UnauthorizedError()]
    const acquireToken = () => Promise.reject(failures.shift())
    const { told, names } = listen(clientOf({ acquireToken }))

    await until(() => expect(names()).toEqual(['error', 'reconnect', 'rejected', 'close']))
    expect(told[0]).toMatchObject(['error', { cause: expect.any(TypeError) }])
    expect(script.requests).toHaveLength(0)
  })

  it('is not called for a subscription that ends at once', async () => {
    const acquireToken = vi.fn<() => Promise<string>>(async () => 't')
    const { unsubscribe } = listen(clientOf({ acquireToken }))
    unsubscribe()
    await waitMillis(30)
    expect(acquireToken).not.toHaveBeenCalled()
  })
})

describe('createAuthSSEClient', () => {
  const mints: Step = (outgoing) => outgoing.end('{"token":"minted"}')

  const connect = (options: Parameters<typeof createAuthSSEClient>[0]) => {
    return listen(kept(createAuthSSEClient<Router>({ host, reconnectDelay: 20, ...options })))
  }

  it('mints by eventsToken through the RPC proxy, before every attempt (E-085)', async () => {
    script.steps = [mints, opensAndEnds(), mints, opens()]
    const { names } = connect({ rpcBaseUrl: `${host}/my/rpc` })

    await until(() => expect(names()).toEqual(['open', 'error', 'reconnect', 'open']))
    const attempt = ['POST /my/rpc/eventsToken', 'GET /events/stream?events=added&token=minted']
    expect(pathsAsked()).toEqual([...attempt, ...attempt])
    expect(script.requests[0]?.headers).toMatchObject({ 'content-type': 'application/json' })
  })

  it('finds the proxy under /api/rpc (E-085)', async () => {
    const asked = vi.fn<typeof fetch>(() => new Promise(() => {}))
    vi.stubGlobal('fetch', asked)
    connect({})
    await until(() => expect(asked).toHaveBeenCalled())
    expect(asked.mock.calls[0]?.[0]).toBe('/api/rpc/eventsToken')
  })

  it('asks the API itself when it can sign', async () => {
    script.steps = [mints, opens()]
    const { names } = connect({
      pathname: '/live/stream',
      sign: async ({ method, url }) => ({ authorization: `${method} ${url}` }),
    })

    await until(() => expect(names()).toEqual(['open']))
    expect(pathsAsked()).toEqual(['POST /live/token', 'GET /live/stream?events=added&token=minted'])
    expect(script.requests[0]?.headers.authorization).toBe(`POST ${host}/live/token`)
  })

  it('is refused when no user is signed in (E-090)', async () => {
    script.steps = [refuses(401, 'UnauthorizedError')]
    const { names } = connect({ rpcBaseUrl: host })
    await until(() => expect(names()).toEqual(['rejected', 'close']))
  })
})
