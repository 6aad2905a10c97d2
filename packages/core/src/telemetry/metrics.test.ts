import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { defineServer } from '../definition/define-server.ts'
import type { Infrastructure } from '../infrastructure/infrastructure.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { testApplication } from './test-application.ts'
import { readExposition, type Sample } from './test-exposition.ts'
import { readStream } from './test-stream-reader.ts'

const token = '4f1c0a9be27d583366d1e0b7a2c94f58'
const on = { SVC_OPS_METRICS_TOKEN: token }
const { definition, failsOnce } = testApplication()

const ask = (server: TestServer, authorization?: string) =>
  server.fetch('/_ops/metrics', { headers: authorization ? { authorization } : {} })

async function samplesOf(server: TestServer) {
  const answer = await ask(server, `Bearer ${token}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  return readExposition(await answer.text())
}

function valueOf(samples: Sample[], name: string, labels: Record<string, string> = {}) {
  const found = samples.filter(
    (each) =>
      each.name === name &&
      Object.entries(labels).every(([key, value]) => each.labels[key] === value),
  )
  expect(found, `${name} ${JSON.stringify(labels)}`).toHaveLength(1)
  return found[0]?.value
}

describe('GET /_ops/metrics', () => {
  it('is an unknown path like any other while it is off', async () => {
    const server = await startTestServer(defineServer())
    const bodies = await Promise.all(
      ['/_ops/metrics', '/_ops/nothing'].map(async (path) => {
        const answer = await server.fetch(path, {
          headers: { authorization: `Bearer ${token}`, 'x-request-id': 'the-same-for-both' },
        })
        return { status: answer.status, body: await answer.text() }
      }),
    )
    await server.stop()

    expect(bodies[0]).toEqual(bodies[1])
    expect(bodies[0]?.status).toBe(404)
  })

  it('takes the scheme however it is written, and no other token', async () => {
    const server = await startTestServer(defineServer(), { env: on })
    expect((await ask(server, `bearer ${token}`)).status).toBe(200)
    for (const wrong of [token, `Basic ${token}`, `Bearer ${token}x`, 'Bearer ', 'Bearer']) {
      expect((await ask(server, wrong)).status).toBe(401)
    }
    await server.stop()
  })

  it('refuses a weak token at the start, without showing it', async () => {
    for (const weak of ['short', 'a'.repeat(64), `${token} with spaces`, `${token}-change-me`]) {
      const start = startTestServer(defineServer(), { env: { SVC_OPS_METRICS_TOKEN: weak } })
      const failure = await start.then(
        () => 'It started.',
        (error: unknown) => String(error),
      )
      expect(failure).toContain('SVC_OPS_METRICS_TOKEN must')
      expect(failure).not.toContain(weak)
    }
  })

  it('answers two servers of one process apart', async () => {
    const servers = await Promise.all(
      [1, 2].map(() => startTestServer(defineServer(), { env: on })),
    )
    const [first, second] = servers as [TestServer, TestServer]
    await first.fetch('/_core/health')
    const name = 'svc_http_request_duration_seconds_count'
    const route = '/_core/health'

    await vi.waitFor(async () => expect(valueOf(await samplesOf(first), name, { route })).toBe(1))
    expect((await samplesOf(second)).filter((each) => each.labels.route === route)).toEqual([])
    await Promise.all(servers.map((each) => each.stop()))
  })
})

describe('a server with metrics', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(definition, {
      env: { ...on, CACHE_URL: 'postgres:' },
      database: true,
    })
  })
  afterAll(() => server.stop())

  it('answers requests with the token, and refuses all others in the same words', async () => {
    const wrong = [
      undefined,
      'Bearer',
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      `Basic ${token}`,
      token,
      `Bearer ${token.toUpperCase()}`,
    ]
    const answers = await Promise.all(
      wrong.map(async (authorization) => {
        const answer = await ask(server, authorization)
        const { error: _, ...body } = (await answer.json()) as Record<string, unknown>
        return { status: answer.status, ask: answer.headers.get('www-authenticate'), body }
      }),
    )
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]).toMatchObject({ status: 401, ask: 'Bearer' })

    await samplesOf(server)
  })

  it('counts what it does', async () => {
    const stream = await readStream(server.url)
    failsOnce.add('again')
    for (const id of ['once', 'again']) {
      await server.fetch('/orders', {
        method: 'POST',
        body: JSON.stringify({ id, email: 'ada@example.com' }),
        headers: { 'content-type': 'application/json' },
      })
    }
    await server.fetch('/limited')
    await server.fetch('/query?search=x')
    await vi.waitFor(() => expect(stream.text().match(/event: packed/g)).toHaveLength(2), 8000)

    const samples = await samplesOf(server)
    const value = (name: string, labels?: Record<string, string>) => valueOf(samples, name, labels)
    const orders = { method: 'POST', route: '/orders', status: '2xx' }
    expect(value('svc_http_request_duration_seconds_count', orders)).toBe(2)
    expect(value('svc_http_requests_under_way')).toBe(1)
    expect(value('svc_refusals_total', { route: '/limited' })).toBe(1)
    expect(value('svc_rate_limit_refusals_total', { route: '/limited' })).toBe(1)
    expect(value('svc_refusals_total', { route: '/query' })).toBe(1)
    expect(value('svc_events_emitted_total', { event: 'order.placed', outcome: 'done' })).toBe(2)
    expect(value('svc_events_delivered_total', { event: 'order.placed' })).toBe(2)
    expect(value('svc_broadcast_lag_seconds_count')).toBe(4)
    expect(value('svc_broadcast_breaker_open')).toBe(0)
    expect(value('svc_cache_listening')).toBe(1)
    expect(value('svc_streams_open', { kind: 'sse' })).toBe(1)
    expect(value('svc_stream_queue_bytes', { kind: 'sse' })).toBe(0)
    expect(value('svc_stream_fan_out_seconds_count', { event: 'placed' })).toBe(2)
    expect(value('svc_job_duration_seconds_count', { job: 'pack', outcome: 'done' })).toBe(2)
    expect(value('svc_job_duration_seconds_count', { job: 'pack', outcome: 'retried' })).toBe(1)
    expect(value('svc_jobs', { job: 'pack', state: 'due' })).toBe(0)
    expect(value('svc_database_connections', { state: 'idle' })).toBeGreaterThan(0)
    expect(value('svc_database_connections_awaited')).toBeGreaterThanOrEqual(0)
    expect(value('svc_database_transaction_seconds_count', { outcome: 'done' })).toBe(2)
    expect(value('svc_database_transaction_seconds_count', { outcome: 'failed' })).toBe(1)
    expect(value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(0)

    await stream.leave()
    await vi.waitFor(async () =>
      expect(valueOf(await samplesOf(server), 'svc_streams_open', { kind: 'sse' })).toBe(0),
    )
  })

  it('has one label for every odd path and method', { timeout: 60_000 }, async () => {
    const before = await samplesOf(server)
    await askOddly(server, 10_000)
    const after = await samplesOf(server)

    const none = { route: 'none', status: '4xx' }
    const name = 'svc_http_request_duration_seconds_count'
    const counted = after.filter(
      (each) => each.name === name && each.labels.route === 'none' && each.labels.status === '4xx',
    )
    expect(counted.reduce((sum, { value }) => sum + value, 0)).toBeGreaterThanOrEqual(10_000)
    expect(valueOf(after, name, { ...none, method: '_OTHER' })).toBe(1)
    expect(after.length - before.length).toBeLessThan(80)
  })
})

/** Paths, queries and ids that no two requests share. */
async function askOddly(server: TestServer, count: number) {
  const { connect } = await import('node:net')
  const socket = connect(Number(new URL(server.url).port), 'localhost')
  let answered = 0
  const done = new Promise<void>((resolve) => {
    let rest = ''
    socket.on('data', (bytes: Buffer) => {
      const parts = (rest + bytes.toString('latin1')).split('HTTP/1.1 4')
      answered += parts.length - 1
      rest = (parts.at(-1) ?? '').slice(-9)
      if (answered >= count) resolve()
    })
  })
  const request = (at: number) =>
    `${at === 0 ? 'PURGE' : 'GET'} /odd/${at}/%2e${at}?q=${at} HTTP/1.1\r\nhost: x\r\nx-request-id: odd-${at}-odd\r\n\r\n`
  for (let at = 0; at < count; at += 100) {
    socket.write(Array.from({ length: 100 }, (_, more) => request(at + more)).join(''))
  }
  await done
  socket.destroy()
}

describe('what a package declares', () => {
  it('is shown with the server’s own', async () => {
    let fails = false
    const lifecycle = {
      name: 'shop',
      afterInfrastructure({ metrics }: Infrastructure) {
        const sales = metrics?.counter('shop_sales_total', { help: 'Sales.', labels: ['kind'] })
        sales?.add({ kind: 'a "b"\n\\c' })
        sales?.add({ kind: 'd' }, 2)
        metrics?.gauge('shop_stock', { help: 'Stock.' }, () => {
          if (fails) throw new Error('Nobody knows.')
          return 7
        })
        metrics?.gauge('shop_never', { help: 'Never.' }, () => new Promise<number>(() => {}))
        for (let at = 0; at < 6000; at++) sales?.add({ kind: `user-${at}` })
      },
    }
    const server = await startTestServer(defineServer().lifecycle(lifecycle), { env: on })
    const samples = await samplesOf(server)

    expect(valueOf(samples, 'shop_sales_total', { kind: 'd' })).toBe(2)
    expect(valueOf(samples, 'shop_sales_total', { kind: String.raw`a \"b\"\n\\c` })).toBe(1)
    expect(valueOf(samples, 'shop_stock')).toBe(7)
    expect(samples.filter(({ name }) => name === 'shop_never')).toEqual([])
    // However it is labelled, it does not grow without end.
    expect(valueOf(samples, 'shop_sales_total', { kind: 'other' })).toBe(6002 - 5000)

    fails = true
    expect((await samplesOf(server)).filter(({ name }) => name === 'shop_stock')).toEqual([])
    await server.stop()
  })
})
