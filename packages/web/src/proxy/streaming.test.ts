import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { authInterceptors, createRpcProxy } from '../proxy.ts'
import { testSecret } from '../test-browser.ts'

/** Hands each answer to the test that has asked for it. */
const answers = () => Promise.withResolvers<ServerResponse>()
let next = answers()
const api = createServer((_request, response) => next.resolve(response)).listen(0)
await once(api, 'listening')
afterAll(() => {
  api.closeAllConnections()
  api.close()
})
afterEach(() => vi.restoreAllMocks())

const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
const env = { SVC_API_URL: apiUrl, SVC_AUTH_SESSION_SECRET: testSecret }

/** Asks through the proxy, and gets hold of the API's side of it. */
async function ask({
  signal,
  timeoutMillis,
}: {
  signal?: AbortSignal
  timeoutMillis?: number
} = {}) {
  next = answers()
  const { GET } = createRpcProxy({
    routeMap: { pieces: { method: 'GET', path: '/pieces' } },
    apiUrl,
    interceptors: [authInterceptors({ env })],
    ...(timeoutMillis && { timeoutMillis }),
  })
  const answer = GET(new Request('http://web.test/api/rpc/pieces', { ...(signal && { signal }) }))
  return { answer, upstream: await next.promise }
}

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

it('an answer in pieces arrives in pieces', async () => {
  const { answer, upstream } = await ask()
  upstream.write('one')
  const reader = (await answer).body?.getReader()
  expect(text((await reader?.read())?.value)).toBe('one')
  // The second is written only when the first has been read.
  upstream.write('two')
  expect(text((await reader?.read())?.value)).toBe('two')
  upstream.end()
  expect((await reader?.read())?.done).toBe(true)
})

it('an answer that was not read yet outlives a garbage collection', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const { answer, upstream } = await ask()
  upstream.write('one')
  const waiting = await answer
  for (let time = 0; time < 5; time++) {
    collect()
    // What was collected is finalized in a turn of its own.
    await setImmediate()
  }
  upstream.end('two')
  expect(await waiting.text()).toBe('onetwo')
})

it('an answer may go on for longer than it may take to begin', async () => {
  const { answer, upstream } = await ask({ timeoutMillis: 50 })
  upstream.write('one')
  const reader = (await answer).body?.getReader()
  await reader?.read()
  await new Promise((passed) => {
    AbortSignal.timeout(100).addEventListener('abort', passed)
  })
  upstream.end('two')
  expect(text((await reader?.read())?.value)).toBe('two')
})

it('an answer that does not begin in time is 503, and the API is told', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { answer, upstream } = await ask({ timeoutMillis: 50 })
  const closed = once(upstream, 'close')
  expect((await answer).status).toBe(503)
  await closed
})

it('a browser that goes away before the answer ends the call', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const browser = new AbortController()
  const { answer, upstream } = await ask({ signal: browser.signal })
  const closed = once(upstream, 'close')
  browser.abort()
  await closed
  await answer
  // It is no failure of the API's.
  expect(logged).not.toHaveBeenCalled()
})

it('a browser that goes away in the middle of an answer ends it', async () => {
  const browser = new AbortController()
  const { answer, upstream } = await ask({ signal: browser.signal })
  upstream.write('one')
  const reader = (await answer).body?.getReader()
  await reader?.read()
  const closed = once(upstream, 'close')
  browser.abort()
  await closed
  await expect(reader?.read()).rejects.toThrow()
})

it('a host that drops the answer in the middle ends it', async () => {
  const { answer, upstream } = await ask()
  upstream.write('one')
  const closed = once(upstream, 'close')
  await (await answer).body?.cancel()
  await closed
})
