import { afterAll, expect, it } from 'vitest'
import { startTestWeb } from '../test-browser.ts'
import { testOperations } from '../test-operations.ts'

const { router, routeMap } = testOperations({ look: () => ({ body: {} }) })
const web = await startTestWeb({ router, routeMap })
afterAll(web.api.stop)

const page = web.browser()
await page.call('login', await web.api.createUser())

function send(name: string, text: string, headers: Record<string, string> = {}) {
  const sent = {
    'content-type': 'application/json',
    cookie: page.cookieHeader(),
    'x-svc-csrf': page.cookies.get('svc_csrf') ?? '',
    ...headers,
  }
  const url = `http://web.test/api/rpc/${name}`
  return web.proxy.POST(new Request(url, { method: 'POST', headers: sent, body: text }))
}

const deep = 400_000

it.each([
  'null',
  '[]',
  '7',
  '{"body":null}',
  '{"body":{"__proto__":{"privateKey":"x"},"constructor":{"prototype":{}}}}',
  '{"__proto__":{"body":{}}}',
  '{"params":{"provider":{"toString":1}}}',
  '{"query":{"a":{"toString":1}}}',
  '{"query":{"__proto__":[{}]}}',
  '{"headers":{"x":{"toString":1}}}',
  '{"headers":{"x y":"1"}}',
  '{"headers":{"x":"a\\nb"}}',
  '{"headers":{"x":"\\ud800"}}',
  '{"body":{"a":"\\ud800\\u0000"}}',
  `{"headers":{"x":"${'x'.repeat(100_000)}"}}`,
  `{"query":{"x":"${'x'.repeat(100_000)}"}}`,
  `{"body":${'['.repeat(deep)}${']'.repeat(deep)}}`,
  `{"body":${'{"a":'.repeat(deep / 4)}1${'}'.repeat(deep / 4)}}`,
])('no input makes the web app fail: %.60s', async (text) => {
  for (const name of ['look', 'login', 'rotateKey', 'getAuthSession', 'mfaVerify', 'finalize']) {
    expect([name, (await send(name, text)).status < 500]).toEqual([name, true])
  }
})

it.each([
  { cookie: 'a=b; '.repeat(3000) },
  { cookie: '%; %%; =%; svc_csrf=%; svc_mfa_pending=%; svc_oauth_pending=%' },
  { 'x-svc-csrf': '%' },
  { 'x-svc-csrf': 'f'.repeat(64) },
  { authorization: 'Bearer %' },
  { accept: '%' },
  { 'user-agent': 'ü' },
  { 'content-length': 'x' },
])('nor does a header: %.60j', async (headers) => {
  for (const name of ['look', 'getAuthSession', 'finalize']) {
    expect([name, (await send(name, '{}', headers)).status < 500]).toEqual([name, true])
  }
})
