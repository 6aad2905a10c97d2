import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApi } from './create-api.ts'
import type { Wait } from './kept-place.ts'

const routeMap = { login: { method: 'POST', path: '/login' } } as const

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Refusal = { retryAfter: number; place?: string }

/** A server that refuses so often, and then answers. */
function busy(refusals: Refusal[]) {
  const sent: { at: number; place: string | null; token: string | null; body: unknown }[] = []
  const waits: Wait[] = []
  let tokens = 0
  const startedAt = performance.now()
  const api = createApi<{ login: never }>({
    routeMap,
    // oxlint-disable-next-line typescript/require-await -- as fetch is
    fetch: async (_url, init) => {
      const headers = new Headers(init?.headers)
      const at = performance.now() - startedAt
      const [place, token] = [headers.get('x-svc-place'), headers.get('authorization')]
      sent.push({ at, place, token, body: init?.body })
      const refusal = refusals.shift()
      if (!refusal) return Response.json({ in: true })
      const body = { __type: 'ServiceUnavailableError', message: 'Busy.', ...refusal }
      return Response.json(body, { status: 503 })
    },
    sign: async () => ({ authorization: `Bearer ${(tokens += 1)}` }),
  }) as unknown as { login: { call: (input: object, options?: object) => Promise<unknown> } }
  const call = (options = {}) => {
    const onWait = (wait: Wait) => waits.push(wait)
    return api.login.call({ body: { a: 1 } }, { onWait, ...options })
  }
  return { sent, waits, call }
}

const thrownBy = (call: Promise<unknown>) => call.then(() => null).catch((error: unknown) => error)

describe('a call for which a place in line is kept', () => {
  it('is sent again at that time, with the place, and signed again', async () => {
    const { sent, waits, call } = busy([
      { retryAfter: 12, place: 'one' },
      { retryAfter: 3, place: 'two' },
    ])
    const answer = call()
    await vi.runAllTimersAsync()

    expect(await answer).toEqual({ in: true })
    expect(sent).toEqual([
      { at: 0, place: null, token: 'Bearer 1', body: '{"a":1}' },
      { at: 12_000, place: 'one', token: 'Bearer 2', body: '{"a":1}' },
      { at: 15_000, place: 'two', token: 'Bearer 3', body: '{"a":1}' },
    ])
    expect(waits).toEqual([{ millis: 12_000 }, { millis: 3000 }])
  })

  it('waits for two minutes in all, and is refused then', async () => {
    const { sent, call } = busy(Array.from({ length: 9 }, () => ({ retryAfter: 50, place: 'p' })))
    const thrown = thrownBy(call())
    await vi.runAllTimersAsync()

    expect(await thrown).toMatchObject({ name: 'ServiceUnavailableError', place: 'p' })
    expect(sent.map(({ at }) => at)).toEqual([0, 50_000, 100_000])
  })

  it('is given up while it waits', async () => {
    const { sent, call } = busy([{ retryAfter: 12, place: 'one' }])
    const controller = new AbortController()
    const thrown = thrownBy(call({ signal: controller.signal }))
    await vi.advanceTimersByTimeAsync(1000)
    controller.abort()

    expect(await thrown).toMatchObject({ name: 'AbortError' })
    await vi.runAllTimersAsync()
    expect(sent).toHaveLength(1)
  })

  it('is not repeated where none is kept', async () => {
    const { sent, call } = busy([{ retryAfter: 1 }])
    expect(await thrownBy(call())).toMatchObject({ status: 503 })
    expect(sent).toHaveLength(1)
  })
})
