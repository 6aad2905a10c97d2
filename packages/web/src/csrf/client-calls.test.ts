import { createApi, ForbiddenError } from '@svc/core/client'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startItemsWeb } from '../test-items.ts'

const web = await startItemsWeb()
const { api, proxy, reached, routeMap } = web
afterAll(api.stop)

interface Calls {
  getItem: { call: () => Promise<unknown> }
  postItem: { call: () => Promise<unknown> }
}

beforeEach(() => {
  api.clock.set(new Date())
  reached.length = 0
})
afterEach(() => vi.unstubAllGlobals())

/** The typed client, and what it gets to see of the proxy. The cookies that come back are dropped. */
function clientWith(cookie: string) {
  const answers: Response[] = []
  const fetchOf: typeof fetch = async (url, init) => {
    const request = new Request(new URL(url as string, 'http://web.test'), init)
    request.headers.set('cookie', cookie)
    const answer = await proxy[request.method === 'GET' ? 'GET' : 'POST'](request)
    answers.push(answer)
    return answer
  }
  const client = createApi({ routeMap, proxy: '/api/rpc', fetch: fetchOf }) as unknown as Calls
  return { client, answers }
}

const thrownBy = (call: Promise<unknown>) => call.catch((error: unknown) => error)

describe('the typed client', () => {
  it('is let through with the cookie of its page (A-336)', async () => {
    const page = await web.signedIn()
    const { client } = clientWith(page.cookieHeader())
    vi.stubGlobal('document', { cookie: `svc_csrf=${page.cookies.get('svc_csrf')}` })
    await client.getItem.call()
    await client.postItem.call()
    expect(reached).toEqual(['getItem', 'postItem'])
  })

  it('does not retry when it is refused, though the answer brings the right cookie (A-346)', async () => {
    const page = await web.signedIn()
    const { client, answers } = clientWith(page.cookieHeader())
    vi.stubGlobal('document', { cookie: `svc_csrf=${'0'.repeat(64)}` })
    const error = await thrownBy(client.postItem.call())

    expect(error).toBeInstanceOf(ForbiddenError)
    expect(error).toMatchObject({ status: 403, message: 'CSRF token missing or invalid' })
    expect(answers).toHaveLength(1)
    expect(answers[0]?.headers.getSetCookie()[0]).toContain(page.cookies.get('svc_csrf'))
    expect(reached).toEqual([])
  })
})

describe('code that renders on the server', () => {
  it('has no page to read a cookie from, and hands none on to the browser (A-346)', async () => {
    const page = await web.signedIn()
    const right = `${page.cookies.get('svc_csrf')}`
    page.cookies.delete('svc_csrf')
    const { client, answers } = clientWith(page.cookieHeader())
    const got = await client.getItem.call()
    const error = await thrownBy(client.postItem.call())

    expect(error).toBeInstanceOf(ForbiddenError)
    expect(reached).toEqual(['getItem'])
    // The repair is in the answers, and in nothing that the code is given.
    expect(answers.map(({ headers }) => headers.getSetCookie()[0])).toEqual([
      expect.stringContaining(right),
      expect.stringContaining(right),
    ])
    expect(JSON.stringify([got, error, Object.entries(error as object)])).not.toContain(right)
    expect(page.cookies.has('svc_csrf')).toBe(false)
  })
})
