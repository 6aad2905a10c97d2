import { afterEach, describe, expect, it, vi } from 'vitest'
import { ConflictError, HttpError, NotFoundError, TooManyRequestsError } from '../contract.ts'
import { createPageApi } from '../page.ts'
import type { Call } from './api.ts'
import { createApi } from './create-api.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- a call of any operation
type Calls = Record<'getItem' | 'postItem' | 'then', Call<any, unknown, HttpError>>

const refusal = (name: string, status: number, fields = {}) =>
  Response.json({ __type: name, message: 'Words.', ...fields }, { status })

/** A page whose proxy answers with these, one after another. */
function pageWith(...answers: Response[]) {
  const sent: Request[] = []
  // oxlint-disable-next-line typescript/require-await -- as fetch is
  const fetchOf: typeof fetch = async (url, init) => {
    sent.push(new Request(new URL(url as string, 'http://web.test'), init))
    return answers.shift() ?? Response.json({ in: true })
  }
  vi.stubGlobal('fetch', fetchOf)
  return { api: createPageApi({ proxy: '/api/rpc' }) as unknown as Calls, sent }
}

const thrownBy = (call: Promise<unknown>) => call.catch((error: unknown) => error)

class OutOfStockError extends HttpError<{ left: number }> {
  readonly name = 'OutOfStockError'
  readonly status = 409
  declare readonly left: number
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('createPageApi', () => {
  it('sends every call to the proxy, as a POST with the token of its page (A-336)', async () => {
    const { api, sent } = pageWith()
    vi.stubGlobal('document', { cookie: 'a=b; svc_csrf=token' })
    expect(await api.getItem.call({ query: { limit: 1 } })).toEqual({ in: true })
    expect(await api.postItem.try({ body: { a: 1 } })).toEqual({ ok: true, data: { in: true } })

    const seen = await Promise.all(
      sent.map(async (each) => [each.method, each.url, await each.json()]),
    )
    expect(seen).toEqual([
      ['POST', 'http://web.test/api/rpc/getItem', { query: { limit: 1 } }],
      ['POST', 'http://web.test/api/rpc/postItem', { body: { a: 1 } }],
    ])
    expect(sent.map(({ headers }) => headers.get('x-svc-csrf'))).toEqual(['token', 'token'])
  })

  it('throws instances of the class with the name of a refusal, and of no other', async () => {
    const { api } = pageWith(
      refusal('NotFoundError', 404, { resource: 'Item' }),
      refusal('OutOfStockError', 409, { left: 0 }),
    )
    const missing = await thrownBy(api.getItem.call({}))
    expect(missing).toBeInstanceOf(NotFoundError)
    expect(missing).toBeInstanceOf(HttpError)
    expect(missing).not.toBeInstanceOf(ConflictError)
    expect(missing).toMatchObject({ resource: 'Item', message: 'Words.', status: 404 })

    const outcome = await api.postItem.try({})
    expect(outcome).toMatchObject({ ok: false, error: { name: 'OutOfStockError', left: 0 } })
    expect('error' in outcome && outcome.error).toBeInstanceOf(OutOfStockError)
  })

  it('throws an error of no class for a name that no class has', async () => {
    class UnmadeError extends HttpError<{ must: { be: string } }> {
      readonly name = 'UnmadeError'
      readonly status = 410

      // It can't be created without facts, so its name is not known.
      constructor(facts: { must: { be: string } }) {
        super({ message: facts.must.be, ...facts })
      }
    }
    const { api } = pageWith(refusal('CardLostError', 410))
    const lost = await thrownBy(api.getItem.call({}))
    expect(lost).toMatchObject({ name: 'CardLostError', status: 410 })
    expect(lost).not.toBeInstanceOf(OutOfStockError)
    expect(lost).not.toBeInstanceOf(UnmadeError)
  })

  it('leaves the errors of others as they are', async () => {
    const { api, sent } = pageWith(refusal('OutOfStockError', 409), refusal('OutOfStockError', 409))
    const routeMap = { getItem: { method: 'GET', path: '/items' } } as const
    const other = createApi({ routeMap, baseUrl: 'http://api.test' }) as unknown as Calls
    expect(await thrownBy(other.getItem.call({}))).not.toBeInstanceOf(OutOfStockError)
    expect(await thrownBy(api.getItem.call({}))).toBeInstanceOf(OutOfStockError)
    expect(sent).toHaveLength(2)
    expect(new OutOfStockError({ left: 1 })).toBeInstanceOf(OutOfStockError)
    for (const value of [null, undefined, 'OutOfStockError', { name: 'OutOfStockError' }]) {
      expect(value instanceof OutOfStockError).toBe(false)
    }
  })

  it('waits for its place in line', async () => {
    vi.useFakeTimers()
    const { api, sent } = pageWith(
      refusal('ServiceUnavailableError', 503, { retryAfter: 3, place: 'one' }),
    )
    const onWait = vi.fn()
    const answer = api.postItem.call({}, { onWait })
    await vi.runAllTimersAsync()
    expect(await answer).toEqual({ in: true })
    expect(onWait).toHaveBeenCalledExactlyOnceWith({ millis: 3000 })
    expect(sent[1]?.headers.get('x-svc-place')).toBe('one')
  })

  it('tells a dead network apart from a refusal', async () => {
    const { api } = pageWith(refusal('TooManyRequestsError', 429, { retryAfter: 7 }))
    expect(await thrownBy(api.postItem.call({}))).toBeInstanceOf(TooManyRequestsError)
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    const unreachable = await thrownBy(api.postItem.call({}))
    expect(unreachable).toMatchObject({ name: 'ApiUnreachableError', status: 503 })
  })

  it('stops waiting when its caller does', async () => {
    const { api, sent } = pageWith()
    const leaving = new AbortController()
    leaving.abort(new Error('The page was left.'))
    await api.postItem.call({}, { signal: leaving.signal })
    expect(sent[0]?.signal.aborted).toBe(true)
  })

  it('does not look like a promise', async () => {
    const { api } = pageWith()
    expect(api.then).toBeUndefined()
    expect(await Promise.resolve(api)).toBe(api)
  })
})
