import { authRouteMap } from '@svc/auth'
import { defineRouter, NotFoundError, route, routeMapOf, t } from '@svc/core'
import type { RouteMap } from '@svc/core/client'
import { startTestWeb, type TestWeb } from './test-browser.ts'

interface ItemsWeb extends TestWeb {
  routeMap: RouteMap
  /** The names of the operations that were let in, in their order. */
  reached: string[]
  /** A browser in which a user has signed in. */
  signedIn: (user?: { email: string; password: string }) => Promise<ReturnType<TestWeb['browser']>>
}

/** An API that notes what reaches it of a signed-in user, and a web app's proxy before it. */
export async function startItemsWeb(): Promise<ItemsWeb> {
  const reached: string[] = []
  const note = (name: string) => () => {
    reached.push(name)
    return { name }
  }
  const router = defineRouter({
    getItem: route.get('/items').handler(note('getItem')),
    postItem: route.post('/items').handler(note('postItem')),
    putItem: route.put('/items').handler(note('putItem')),
    patchItem: route.patch('/items').handler(note('patchItem')),
    deleteItem: route.delete('/items').handler(note('deleteItem')),
    notify: route
      .post('/hooks/:provider/unlink')
      .input({ params: t.Object({ provider: t.String() }) })
      .handler(note('notify')),
    missing: route
      .get('/missing')
      .errors(NotFoundError)
      .handler(() => {
        throw new NotFoundError({ resource: 'Item' })
      }),
  })
  const routeMap = { ...authRouteMap, ...routeMapOf(router) }
  const web = await startTestWeb({ router, routeMap })
  const { api } = web

  async function signedIn(user?: { email: string; password: string }) {
    const { email, password } = user ?? (await api.createUser())
    const page = web.browser()
    // The API's clock stands still, and the proxy signs with the machine's.
    api.clock.set(new Date())
    const answer = await page.call('login', { email, password })
    if (!answer.ok) throw new Error(await answer.text())
    return page
  }

  return { ...web, routeMap, reached, signedIn }
}

export interface Sent {
  /** By what the browser asks the proxy. */
  wire?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  input?: object
  headers?: Record<string, string | undefined>
  cookies?: Record<string, string | undefined>
}

/** What a browser sends to call an operation, to the letter. Members that are undefined are left out. */
export function requestOf(name: string, { wire = 'POST', input = {}, ...sent }: Sent = {}) {
  const headers = new Headers()
  const cookie = given(sent.cookies).map(([key, value]) => `${key}=${value}`)
  if (cookie.length > 0) headers.set('cookie', cookie.join('; '))
  if (wire !== 'GET' && wire !== 'HEAD') headers.set('content-type', 'application/json')
  for (const [key, value] of given(sent.headers)) headers.set(key, value)
  const url = new URL(`http://web.test/api/rpc/${name}`)
  if (wire !== 'GET' && wire !== 'HEAD') {
    return new Request(url, { method: wire, headers, body: JSON.stringify(input) })
  }
  url.searchParams.set('input', JSON.stringify(input))
  return new Request(url, { method: wire, headers })
}

const given = (values: Record<string, string | undefined> = {}) =>
  Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined)
