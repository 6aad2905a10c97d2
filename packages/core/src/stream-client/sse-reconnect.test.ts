import { type IncomingMessage } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { createSSEClient } from './create-sse-client.ts'
import {
  cuts,
  frame,
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
const { clientOf, kept } = testClients(host)

describe('a drop', () => {
  it('is told, and another attempt follows (E-081, E-086)', async () => {
    script.steps = [opensAndEnds(frame('added', { n: 1 })), cuts, opens(frame('added', { n: 2 }))]
    const { told, names } = listen(clientOf())

    await until(() => expect(told.at(-1)).toEqual(['added', 2]))
    expect(names()).toEqual('open added error reconnect error reconnect open added'.split(' '))
    expect(told.filter(([name]) => name === 'reconnect')).toEqual([
      ['reconnect', 1],
      ['reconnect', 2],
    ])
    expect(told[2]).toMatchObject(['error', { name: 'ApiUnreachableError', status: 503 }])
  })

  it('is the end without reconnect (E-081)', async () => {
    script.steps = [opensAndEnds()]
    const client = clientOf({ reconnect: false })
    const { names } = listen(client)

    await until(() => expect(names()).toEqual(['open', 'error', 'close']))
    expect(client.getState()).toBe('closed')
    await waitMillis(60)
    expect(script.requests).toHaveLength(1)
  })

  it('is followed by as many attempts as there may be in a row, counted from zero once it is open (E-081)', async () => {
    script.steps = [cuts, cuts, opensAndEnds(), cuts, cuts]
    const { told, names } = listen(clientOf({ maxReconnectAttempts: 2 }))

    await until(() => expect(names()).toContain('close'))
    expect(told.filter(([name]) => name === 'reconnect').map(([, attempt]) => attempt)).toEqual([
      1, 2, 1, 2,
    ])
    expect(script.requests).toHaveLength(5)
  })

  it('is followed by attempts without end, the first within 3 s, unless told otherwise (E-081)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    // The longest that chance can make it.
    vi.spyOn(Math, 'random').mockReturnValue(1)
    try {
      const request = vi.fn(() => Promise.reject(new TypeError('no network')))
      vi.stubGlobal('fetch', request)
      const { names } = listen(kept(createSSEClient<Router>({ host })))
      await vi.advanceTimersByTimeAsync(2999)
      expect(request).toHaveBeenCalledOnce()
      await vi.advanceTimersByTimeAsync(1)
      expect(request).toHaveBeenCalledTimes(2)
      await vi.advanceTimersByTimeAsync(3_600_000)
      expect(request.mock.calls.length).toBeGreaterThan(100)
      expect(names()).not.toContain('close')
    } finally {
      vi.useRealTimers()
    }
  })

  it('is waited out for as long as the stream said, once', async () => {
    script.steps = [opensAndEnds('retry: 1000\n\n'), cuts]
    const { names } = listen(clientOf())

    await until(() => expect(names()).toContain('error'))
    await waitMillis(500)
    expect(script.requests).toHaveLength(1)
    const waited = Date.now()
    await until(() => expect(script.requests).toHaveLength(3))
    expect(Date.now() - waited).toBeLessThan(990)
  })

  it('is followed by a request for what was missed', async () => {
    script.steps = [
      opensAndEnds(frame('added', { n: 1 }, 'id: é-1\n')),
      cuts,
      opens('', { recovered: true }),
    ]
    const { told } = listen(clientOf())

    await until(() => expect(told.at(-1)).toMatchObject(['open', { recovered: true }]))
    const ids = script.requests.map(({ headers }) => headers['last-event-id'])
    expect(ids).toEqual([undefined, 'Ã©-1', 'Ã©-1'])
  })

  it('is what an answer is without end, or one that tells of a fault', async () => {
    const isEndless: Step = (outgoing) => {
      opens(`data: ${'x'.repeat(9 * 1024 * 1024)}`)(outgoing, script.requests[0] as IncomingMessage)
    }
    script.steps = [isEndless, refuses(500, 'Error')]
    const { told, names } = listen(clientOf())

    await until(() => expect(names()).toHaveLength(6))
    expect(names()).toEqual('open error reconnect error reconnect open'.split(' '))
    expect(told[1]).toMatchObject(['error', { cause: expect.any(RangeError) }])
    expect(told[3]).toMatchObject(['error', { status: 500, requestId: 'r1' }])
  })

  it('uses up no attempts while the browser is offline', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      vi.stubGlobal('navigator', { onLine: false })
      vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
      const client = clientOf({ maxReconnectAttempts: 1 })
      const { names } = listen(client)
      for (const _ of [1, 2, 3]) await vi.advanceTimersByTimeAsync(30_000)
      expect(names().filter((name) => name === 'reconnect')).toHaveLength(3)
      expect(client.getState()).toBe('error')
      vi.stubGlobal('navigator', { onLine: true })
      for (const _ of [1, 2]) await vi.advanceTimersByTimeAsync(30_000)
      // The one that waited while offline, and the one that there may be.
      expect(names().filter((name) => name === 'reconnect')).toHaveLength(5)
      expect(client.getState()).toBe('closed')
    } finally {
      vi.useRealTimers()
    }
  })

  it('is noticed by silence', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { names } = listen(clientOf())
      await vi.waitFor(() => expect(names()).toEqual(['open']))
      await vi.advanceTimersByTimeAsync(30_100)
      await vi.waitFor(() => expect(names()).toEqual(['open', 'error', 'reconnect', 'open']))
    } finally {
      vi.useRealTimers()
    }
  })
})

/** An answer of this status and type, which may be an event stream all the same. */
const answers = (status: number, type?: string): Step => {
  return (outgoing) => {
    outgoing.writeHead(status, type === undefined ? {} : { 'content-type': type })
    outgoing.end(status === 204 ? undefined : frame('connected', { events: ['added'] }))
  }
}

describe('204', () => {
  it('asks not to come again: the stream is closed, and nothing has failed', async () => {
    script.steps = [opensAndEnds(), answers(204)]
    const client = clientOf()
    const { names } = listen(client)

    await until(() => expect(names()).toContain('close'))
    expect(names()).toEqual(['open', 'error', 'reconnect', 'close'])
    expect(client.getState()).toBe('closed')
    await waitMillis(60)
    expect(script.requests).toHaveLength(2)
  })

  it('closes each tab of a stream that is shared', async () => {
    script.steps = [answers(204), answers(204)]
    const options = { shareAcrossTabs: 'ada', acquireToken: async () => 't' }
    const tabs = [listen(clientOf(options)), listen(clientOf(options))]
    for (const { names } of tabs) await until(() => expect(names()).toEqual(['close']))
    await waitMillis(100)
    expect(script.requests).toHaveLength(2)
  })
})

describe('an answer that is no event stream', () => {
  it.each([
    [200, 'text/html; charset=utf-8'],
    [200, 'application/json'],
    [200, 'text/event-stream2'],
    [200, undefined],
    [202, 'text/event-stream'],
    [206, 'text/event-stream'],
  ])('is final, and says what has answered: %i %s', async (status, type) => {
    script.steps = [answers(status, type)]
    const client = clientOf({ acquireToken: async () => 'secret' })
    const { told, names } = listen(client)

    await until(() => expect(names()).toEqual(['rejected', 'close']))
    const answered = `${host}/events/stream answered ${status} ${type ?? ''}`
    const error = { name: 'ApiUnreachableError', message: expect.stringContaining(answered) }
    expect(told[0]).toMatchObject(['rejected', error])
    expect(String(told[0]?.[1])).not.toContain('secret')
    expect(client.getState()).toBe('closed')
    await waitMillis(60)
    expect(script.requests).toHaveLength(1)
  })

  it('says where it was sent to', async () => {
    const redirects: Step = (outgoing) => outgoing.writeHead(302, { location: '/login' }).end()
    script.steps = [redirects, answers(200, 'text/html')]
    const { told, names } = listen(clientOf())
    await until(() => expect(names()).toEqual(['rejected', 'close']))
    expect(String(told[0]?.[1])).toContain(`${host}/login answered 200 text/html`)
  })

  it('is a drop where the stream was open before: a portal or a proxy’s page goes by', async () => {
    const portal = answers(200, 'text/html')
    script.steps = [opensAndEnds(), portal, portal, opens(frame('added', { n: 1 }))]
    const { told, names } = listen(clientOf())

    await until(() => expect(told.at(-1)).toEqual(['added', 1]))
    const drop = 'error reconnect'
    expect(names().join(' ')).toBe(`open ${drop} ${drop} ${drop} open added`)
    expect(told[3]).toMatchObject(['error', { message: expect.stringContaining('text/html') }])
  })

  it('is a drop to a tab that leads a stream which was open before', async () => {
    script.steps = [opens(), answers(200, 'text/html'), opens(frame('added', { n: 1 }))]
    const options = { shareAcrossTabs: 'ada', acquireToken: async () => 't' }
    const first = clientOf(options)
    const { names } = listen(first)
    await until(() => expect(names()).toEqual(['open']))
    const second = listen(clientOf(options))
    await until(() => expect(second.names()).toEqual(['open']))
    first.close()
    await until(() => expect(second.names().at(-1)).toBe('added'))
    expect(second.names()).toEqual(['open', 'error', 'reconnect', 'open', 'added'])
  })
})

describe('a refusal', () => {
  it.each([
    [400, 'ValidationError'],
    [401, 'UnauthorizedError'],
    [403, 'ForbiddenError'],
    [404, 'NotFoundError'],
  ])('by %i is final, and no drop (E-090)', async (status, name) => {
    script.steps = [refuses(status, name)]
    const client = clientOf()
    const { told, names } = listen(client)

    await until(() => expect(names()).toEqual(['rejected', 'close']))
    expect(told[0]).toMatchObject(['rejected', { name, status, message: 'No.', requestId: 'r1' }])
    expect(told[0]?.[1]).toBeInstanceOf(Error)
    expect(client.getState()).toBe('closed')
    await waitMillis(60)
    expect(script.requests).toHaveLength(1)
  })

  it.each([429, 503])('by %i asks to come again, and is no drop (E-090)', async (status) => {
    script.steps = [refuses(status, 'ServiceUnavailableError', { 'retry-after': '0.3' })]
    const { names } = listen(clientOf())

    await until(() => expect(script.requests).toHaveLength(1))
    await waitMillis(200)
    expect(script.requests).toHaveLength(1)
    await until(() => expect(names()).toEqual(['reconnect', 'open']))
  })

  it('can be answered by subscribing again', async () => {
    script.steps = [refuses(403, 'ForbiddenError'), opens(frame('added', { n: 1 }))]
    const client = clientOf()
    let second: ReturnType<typeof listen> | undefined
    const first = listen(client, { onRejected: () => (second = listen(client)) })

    await until(() => expect(second?.names()).toEqual(['open', 'added']))
    expect(first.names()).toEqual(['close'])
    expect(client.getState()).toBe('open')
  })
})
