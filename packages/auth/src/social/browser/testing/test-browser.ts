import { randomBytes } from 'node:crypto'
import type { PreparedRequest } from '@svc/core/client'
import type { TestServer } from '@svc/core/testing'
import type { ProviderIdentity } from '../../../providers/providers.ts'
import { createTestKey, type TestAnswer, type TestAuth, type TestKey } from '../../../testing.ts'
import type { TestProvider } from './test-provider.ts'

interface Leaving {
  returnUrl?: string
  metadata?: object
  /** One of its own, in place of a new one. */
  key?: TestKey
}

/** Where the callback has sent a browser. */
export interface Arrived {
  readonly status: number
  readonly to: URL
  /** What the error page is told. Null on any other page. */
  readonly failure: string | null
  readonly headers: Headers
}

/** The cookie that the web proxy sets for an app on port 3790. */
export const proxyCookie = 'svc_oauth_csrf_3790'

/** The one that it sets beside it over https. */
const boundCookie = '__Host-svc_oauth_nonce_3790'

/** A browser on its way to a provider and back, with the cookies and the key that it has on the way. */
export function testBrowser(auth: TestAuth, provider: Pick<TestProvider, 'id' | 'consent'>) {
  const cookies = new Map<string, string>()
  const params = { provider: provider.id }
  let key: TestKey | null = null
  let authUrl = ''

  const headers = () => ({
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  })

  function keep(answer: { headers: Headers }) {
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0/.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
  }

  /** Leaves as the web proxy does it: with a key and a nonce, which becomes a cookie on the app's host. */
  async function leave({ returnUrl = '/next', metadata, ...own }: Leaving = {}) {
    key = own.key ?? (await createTestKey())
    const nonce = randomBytes(32).toString('base64url')
    const body = { returnUrl, nonce, metadata, ...key.registration }
    return left(await auth.call('getProviderOAuthUrl', body, undefined, { params }), nonce)
  }

  /** Leaves without a proxy: with a key, and a cookie on the API's host. */
  async function start({ returnUrl = '/next', metadata, ...own }: Leaving = {}) {
    key = own.key ?? (await createTestKey())
    const body = { provider: provider.id, returnUrl, metadata, ...key.registration }
    return left(await auth.call('start', body))
  }

  /** Leaves by a plain link: without a key. */
  async function follow(query = '?returnUrl=/next') {
    key = null
    const path = `/_auth/oauth/${provider.id}${query}`
    const answer = await auth.fetch(path, { redirect: 'manual', headers: headers() })
    authUrl = answer.headers.get('location') ?? ''
    keep(answer)
    return answer
  }

  function left(answer: TestAnswer, nonce?: string) {
    if (answer.status === 200) {
      authUrl = answer.body.authUrl
      if (nonce) {
        cookies.set(proxyCookie, nonce)
        if (auth.auth.env.SVC_AUTH_COOKIE_SECURE) cookies.set(boundCookie, nonce)
      }
      keep(answer)
    }
    return answer
  }

  /** The callback's request, for a race too. */
  function returning(query: Record<string, string>, of = provider.id) {
    const search = new URLSearchParams(query)
    return (at: Pick<TestServer, 'url'>): PreparedRequest => ({
      method: 'GET',
      url: `${at.url}/_auth/oauth/${of}/callback?${search}`,
      headers: headers(),
    })
  }

  /** Comes back with what is in the address. */
  async function comeBack(query: Record<string, string>, of = provider.id): Promise<Arrived> {
    const { url, ...request } = returning(query, of)(auth.server)
    const answer = await fetch(url, { ...request, redirect: 'manual' })
    keep(answer)
    const to = new URL(answer.headers.get('location') ?? 'none:')
    const { status, headers: answered } = answer
    return { status, to, failure: to.searchParams.get('error'), headers: answered }
  }

  const consent = (identity: ProviderIdentity) => provider.consent(authUrl, identity)

  /** Agrees at the provider, and comes back. */
  const arrive = (identity: ProviderIdentity) => comeBack({ ...consent(identity) })

  /** Finishes with the key that was sent ahead, which signs; or with the cookie, and a key that is given now. */
  async function finalize(body: object = {}): Promise<TestAnswer> {
    if (key) return auth.call('finalize', body, key)
    const { registration } = await createTestKey()
    return auth.call('finalize', { ...registration, ...body }, undefined, { headers: headers() })
  }

  /** The whole sign-in, as a user of the provider. */
  async function signIn(identity: ProviderIdentity, leaving: Leaving = {}) {
    await leave(leaving)
    const { failure } = await arrive(identity)
    if (failure !== null) throw new Error(failure)
    return finalize()
  }

  return {
    cookies,
    leave,
    start,
    follow,
    consent,
    returning,
    comeBack,
    arrive,
    finalize,
    signIn,
    get key() {
      return key as TestKey
    },
    get authUrl() {
      return authUrl
    },
    set authUrl(url: string) {
      authUrl = url
    },
  }
}

export type TestBrowser = ReturnType<typeof testBrowser>
