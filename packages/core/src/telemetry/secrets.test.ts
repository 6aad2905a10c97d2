import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { testApplication } from './test-application.ts'
import { readExposition } from './test-exposition.ts'
import { recordSpans } from './test-spans.ts'
import { readStream } from './test-stream-reader.ts'

const metricsToken = '1b7d50c93fa2e8647a9b0f3c6d28e415'
const recorded = recordSpans()
const { definition, failsOnce } = testApplication()
let server: TestServer

beforeAll(async () => {
  server = await startTestServer(definition, {
    database: true,
    env: { SVC_TRACING: 'on', SVC_OPS_METRICS_TOKEN: metricsToken, CACHE_URL: 'postgres:' },
  })
})
afterAll(async () => {
  await server.stop()
  await recorded.stop()
})

/** Every place that a request has for a secret, each with one of its own. */
const planted = {
  email: 'grace.hopper@navy.example',
  id: 'secret-id-5c1f',
  bearer: 'bearer-93ad7be4',
  cookie: 'cookie-11fe83b0',
  query: 'query-77c20d9a',
  path: 'path-4e51b6f8',
  unknownPath: 'unknown-0ab94c7d',
  unknownQuery: 'unknown-query-2b6d',
  baggage: 'baggage-d41d8cd9',
  state: 'state-98f00b20',
  search: 'search-e9800998',
  agent: 'agent-ecf8427e',
  address: '198.51.100.77',
  invalid: 'invalid-3c9909af',
  streamToken: 'stream-token-61c2',
  socketToken: 'socket-token-7f19',
}

const headers = {
  'content-type': 'application/json',
  authorization: `Bearer ${planted.bearer}`,
  cookie: `svc_session=${planted.cookie}`,
  baggage: `user=${planted.baggage}`,
  tracestate: `vendor=${planted.state}`,
  traceparent: `00-${'5'.repeat(32)}-${'6'.repeat(16)}-01`,
  'user-agent': planted.agent,
  'x-forwarded-for': planted.address,
}

async function useEverything() {
  const stream = await readStream(server.url)
  failsOnce.add(planted.id)
  const body = JSON.stringify({ id: planted.id, email: planted.email })
  const ask = (path: string, init: RequestInit = {}) => server.fetch(path, { headers, ...init })
  await ask(`/orders?code=${planted.query}`, { method: 'POST', body })
  await ask('/orders', { method: 'POST', body: JSON.stringify({ id: [planted.invalid] }) })
  await ask(`/links/${planted.path}`)
  await ask(`/${planted.unknownPath}/x?token=${planted.unknownQuery}`)
  await ask(`/query?search=${planted.search}`)
  await ask(`/events/stream?events=placed&nothing=1&token=${planted.streamToken}`, {
    method: 'HEAD',
  })
  await ask(`/events/ws?token=${planted.socketToken}`)
  await vi.waitFor(() => expect(stream.text()).toContain('event: packed'), { timeout: 15_000 })
  await stream.leave()
}

it('neither spans nor metrics have a secret of a request, of an event or of an error', async () => {
  await useEverything()
  const answer = await server.fetch('/_ops/metrics', {
    headers: { authorization: `Bearer ${metricsToken}` },
  })
  const metrics = await answer.text()
  const spans = recorded.spans()

  // What is looked through is all of it: every kind of span, and failed ones among them.
  const kinds = new Set(spans.map(({ name }) => name.split(' ')[0]))
  for (const kind of [
    'POST',
    'handle',
    'transaction',
    'emit',
    'deliver',
    'enqueue',
    'run',
    'stream',
  ]) {
    expect(kinds).toContain(kind)
  }
  expect(spans.filter(({ attributes }) => 'error.type' in attributes).length).toBeGreaterThan(3)
  expect(readExposition(metrics).length).toBeGreaterThan(50)

  const exported = JSON.stringify(spans)
  for (const [place, secret] of Object.entries({
    ...planted,
    metricsToken,
    all5: '5'.repeat(32),
  })) {
    expect(exported, `a span has the ${place}`).not.toContain(secret)
    expect(metrics, `a metric has the ${place}`).not.toContain(secret)
  }
  // Messages and stacks of errors quote what they are about.
  expect(spans.flatMap(({ events, links }) => [...events, ...links])).toEqual([])
  expect(spans.filter(({ status }) => status.message !== undefined)).toEqual([])
})

it('spans have no attributes but these', () => {
  const names = new Set(recorded.spans().flatMap(({ attributes }) => Object.keys(attributes)))
  expect([...names].toSorted()).toEqual([
    'code.function.name',
    'db.operation.name',
    'db.system.name',
    'error.type',
    'http.request.method',
    'http.response.status_code',
    'http.route',
    'messaging.destination.name',
    'messaging.operation.type',
    'messaging.system',
    'svc.job.attempt',
    'svc.refusal',
    'svc.request_id',
    'svc.streams',
    'url.scheme',
  ])
})
