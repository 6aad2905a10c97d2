import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { migrationSources } from '../definition/define-server.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { testApplication } from './test-application.ts'
import { recordSpans, type ShownSpan } from './test-spans.ts'
import { readStream } from './test-stream-reader.ts'

const recorded = recordSpans()
const { definition, failsOnce } = testApplication()
let database: TestDatabase
let server: TestServer

beforeAll(async () => {
  database = await createTestDatabase({ sources: migrationSources(definition) })
  server = await start('on')
})
beforeEach(() => recorded.forget())
afterAll(async () => {
  await server.stop()
  await database.drop()
  await recorded.stop()
})

const start = (SVC_TRACING: string) =>
  startTestServer(definition, {
    env: { SVC_TRACING, DATABASE_URL: database.url, CACHE_URL: 'postgres:' },
  })

function place(id: string, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ id, email: 'ada@example.com' })
  return server.fetch('/orders', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

const find = (spans: ShownSpan[], name: string) => {
  const span = spans.find((each) => each.name === name)
  if (!span) throw new Error(`No ${name} among ${spans.map((each) => each.name).join(', ')}`)
  return span
}

// A process of its own starts slowly on a busy machine.
const timeout = 60_000

const eventually = <Result>(check: () => Result) =>
  vi.waitFor(check, { timeout: 15_000, interval: 20 })

describe('the trace of a request', () => {
  it('goes through its event, its transaction, its job and the streams', async () => {
    const stream = await readStream(server.url)
    recorded.forget()
    await place('one')

    const spans = await eventually(() => {
      find(recorded.spans(), 'stream packed')
      return recorded.spans()
    })
    await stream.leave()

    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
    const request = find(spans, 'POST /orders')
    expect(request).toMatchObject({
      kind: SpanKind.SERVER,
      parentId: undefined,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/orders',
        'http.response.status_code': 201,
        'svc.request_id': expect.any(String),
      },
    })
    const chain = [
      ['handle placeOrder', 'POST /orders'],
      ['transaction', 'handle placeOrder'],
      ['emit order.placed', 'transaction'],
      ['enqueue pack', 'emit order.placed'],
      ['deliver order.placed', 'emit order.placed'],
      ['stream placed', 'deliver order.placed'],
      ['run pack', 'enqueue pack'],
      ['emit order.packed', 'run pack'],
      ['deliver order.packed', 'emit order.packed'],
      ['stream packed', 'deliver order.packed'],
    ]
    const names = new Map(spans.map(({ spanId, name }) => [spanId, name]))
    const found = spans.map(({ name, parentId }) => [name, names.get(parentId ?? '')])
    for (const link of chain) expect(found).toContainEqual(link)
    expect(find(spans, 'stream placed').attributes).toMatchObject({ 'svc.streams': 1 })
  })

  it('has one span for a fan-out, however many streams there are', async () => {
    const streams = await Promise.all(Array.from({ length: 5 }, () => readStream(server.url)))
    recorded.forget()
    await place('five')
    await eventually(() => find(recorded.spans(), 'stream packed'))
    await Promise.all(streams.map((each) => each.leave()))

    const fanOuts = recorded.spans().filter(({ name }) => name === 'stream placed')
    expect(fanOuts).toMatchObject([{ attributes: { 'svc.streams': 5 } }])
  })

  it('has every run of a job, and says which failed', async () => {
    failsOnce.add('twice')
    await place('twice')
    const runs = await eventually(() => {
      const found = recorded.spans().filter(({ name }) => name === 'run pack')
      expect(found).toHaveLength(2)
      return found
    })

    expect(runs).toMatchObject([
      {
        status: { code: SpanStatusCode.ERROR },
        attributes: { 'svc.job.attempt': 1, 'error.type': 'Error' },
      },
      { status: { code: SpanStatusCode.UNSET }, attributes: { 'svc.job.attempt': 2 } },
    ])
    expect(runs[0]?.traceId).toBe(runs[1]?.traceId)
    expect(runs[0]?.status.message).toBeUndefined()
  })

  it('ends with the head of an event stream, and is of no route where there is none', async () => {
    const stream = await readStream(server.url)
    await eventually(() => find(recorded.spans(), 'GET /events/stream'))
    await stream.leave()
    await server.fetch('/who/is/there?')

    const unknown = await eventually(() => find(recorded.spans(), 'GET'))
    expect(unknown.attributes).toMatchObject({
      'http.response.status_code': 404,
      'svc.refusal': 'NotFoundError',
    })
    expect(unknown.attributes).not.toHaveProperty('http.route')
  })
})

const foreign = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
const traceparent = (flags: string) => `00-${foreign.traceId}-${foreign.spanId}-${flags}`

describe('a traceparent from outside', () => {
  it('is neither joined nor linked', async () => {
    await place('outside', { traceparent: traceparent('00') })
    const request = await eventually(() => find(recorded.spans(), 'POST /orders'))

    // The flag says that the sender doesn't record it.
    expect(request).toMatchObject({ parentId: undefined, links: [] })
    expect(JSON.stringify(recorded.spans())).not.toContain(foreign.traceId)
  })

  describe('where the server is told to continue it', () => {
    let inside: TestServer
    beforeAll(async () => {
      inside = await start('continue')
    })
    afterAll(() => inside.stop())

    it('is the parent', async () => {
      await inside.fetch('/limited', { headers: { traceparent: traceparent('01') } })
      const request = await eventually(() => find(recorded.spans(), 'GET /limited'))
      expect(request).toMatchObject({ traceId: foreign.traceId, parentId: foreign.spanId })
    })

    it('starts a new trace if it is not valid', async () => {
      const given = [
        'no trace',
        `01-${foreign.traceId}-${foreign.spanId}-01`,
        `00-${'0'.repeat(32)}-${foreign.spanId}-01`,
        `00-${foreign.traceId}-${'0'.repeat(16)}-01`,
        `00-${foreign.traceId.toUpperCase()}-${foreign.spanId}-01`,
        `${traceparent('01')}-more`,
      ]
      for (const each of given) await inside.fetch('/limited', { headers: { traceparent: each } })
      await eventually(() => expect(recorded.spans()).toHaveLength(2 * given.length))

      for (const { name, traceId, parentId } of recorded.spans()) {
        expect(traceId).not.toBe(foreign.traceId)
        if (name === 'GET /limited') expect(parentId).toBeUndefined()
      }
    })
  })
})

describe('two instances', () => {
  let child: ChildProcess | undefined
  afterEach(() => child?.kill('SIGKILL'))

  it('have one trace of what one is asked and the other delivers', { timeout }, async () => {
    child = fork(fileURLToPath(new URL('./test-instance.ts', import.meta.url)), {
      execArgv: ['--conditions=svc-source'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        NODE_ENV: 'test',
        SVC_PORT: '0',
        SVC_LOG_LEVEL: 'silent',
        SVC_TRACING: 'on',
        DATABASE_URL: database.url,
        CACHE_URL: 'postgres:',
      },
    })
    const [{ url }] = (await once(child, 'message')) as [{ url: string }]
    const stream = await readStream(url)
    await place('far')

    await eventually(() => expect(stream.text()).toContain('event: packed'))
    await stream.leave()
    const there = await eventually(async () => {
      child?.send('spans')
      const [{ spans }] = (await once(child as ChildProcess, 'message')) as [{ spans: ShownSpan[] }]
      find(spans, 'stream packed')
      return spans
    })

    const { traceId } = find(recorded.spans(), 'POST /orders')
    for (const name of ['deliver order.placed', 'stream placed', 'stream packed']) {
      expect(find(there, name).traceId).toBe(traceId)
    }
    const sent = find(recorded.spans(), 'emit order.placed')
    expect(find(there, 'deliver order.placed').parentId).toBe(sent.spanId)
    // Whichever of the two has run the job.
    const ran = [...recorded.spans(), ...there].filter(({ name }) => name === 'run pack')
    expect(ran).toMatchObject([{ traceId }])
  })
})
