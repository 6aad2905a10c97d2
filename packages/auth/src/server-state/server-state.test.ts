import { hostname } from 'node:os'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { limitOf } from '../limits/testing/limits.ts'
import { withKeyring } from '../mfa/testing/test-second-factor.ts'
import { agentOptions } from '../oauth2/testing/test-agent.ts'
import { startTestAuth } from '../testing.ts'
import { serverStateContract } from './contract.ts'

const env = {
  SVC_RATE_LIMIT: 'on',
  ...withKeyring('hidden-key'),
  SVC_AUTH_GOOGLE_CLIENT_ID: 'hidden-google-client',
  SVC_AUTH_GOOGLE_CLIENT_SECRET: 'hidden-google-secret',
  SVC_AUTH_GITHUB_CLIENT_ID: 'hidden-github-client',
  SVC_AUTH_APPLE_CLIENT_IDS: 'hidden.apple.client',
  SVC_MAIL_FROM: 'hidden-sender@example.com',
  SVC_OPS_METRICS_TOKEN: 'hidden-token-of-metrics-that-is-long-enough',
  SVC_AUTH_KAKAO_ADMIN_KEY: 'hidden-admin-key',
}
const auth = await startTestAuth({ env, ...agentOptions })
afterAll(() => auth.stop())
const root = await auth.signedInUser({ role: 'admin' })
const { database } = auth.infrastructure
const startedAt = auth.clock.now().toISOString()
const instance = { name: `${hostname()}/${process.pid}`, startedAt }

const read = (user = root) => auth.call('readServerState', undefined, user.key)
const hits = (user = root, at = auth.server) =>
  auth.call('listLimitHits', undefined, user.key, { at })

describe('readServerState', () => {
  it('says how the server is and what it stands on', async () => {
    const { status, body } = await read()
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'ok',
      services: [{ name: 'database', state: 'up' }],
      migrations: { applied: expect.any(Number), pending: 0 },
      versions: {
        svc: expect.stringMatching(/^\d+\.\d+\.\d+/),
        node: process.versions.node,
        postgres: expect.stringMatching(/^\d+(?:\.\d+)?/),
      },
      instance,
      instances: { answered: 1, asked: 1 },
      features: expect.any(Array),
      providers: expect.any(Array),
    })
  })

  it('says that the server is degraded while its database only reads', async () => {
    if (!database) throw new Error('There is a database.')
    const health = vi.spyOn(database, 'health').mockResolvedValue('read_only')
    const { body } = await read()
    health.mockRestore()
    expect(body).toMatchObject({
      status: 'degraded',
      services: [{ name: 'database', state: 'read_only' }],
    })
  })

  it('says of each feature whether it is on, and by which names', async () => {
    const { features } = (await read()).body
    const on = (is: boolean) =>
      features
        .filter(({ isOn }: { isOn: boolean }) => isOn === is)
        .map(({ name }: { name: string }) => name)
    expect(on(true)).toEqual(['encryption', 'agents', 'strict binding', 'limits', 'metrics'])
    expect(on(false)).toEqual([
      'mail',
      'sms',
      'support',
      'breached passwords',
      'send work',
      'cache',
      'replica',
      'traces',
    ])
    expect(features).toContainEqual({
      name: 'encryption',
      isOn: true,
      setBy: ['SVC_AUTH_TOKEN_ENCRYPTION_KEYS'],
    })
  })

  it('says with which providers users sign in, and what one lacks', async () => {
    const builtIn = ['google', 'apple', 'github', 'kakao', 'naver']
    // An application registers more of them, and other tests do.
    const providers = (await read()).body.providers.filter(({ id }: { id: string }) =>
      builtIn.includes(id),
    )
    const pair = (name: string) => [`SVC_AUTH_${name}_CLIENT_ID`, `SVC_AUTH_${name}_CLIENT_SECRET`]
    expect(providers).toEqual([
      { id: 'google', web: true, native: false, setBy: pair('GOOGLE') },
      { id: 'apple', web: false, native: true, setBy: ['SVC_AUTH_APPLE_CLIENT_IDS'] },
      {
        id: 'github',
        web: false,
        native: false,
        setBy: pair('GITHUB'),
        missing: 'SVC_AUTH_GITHUB_CLIENT_SECRET',
      },
      { id: 'kakao', web: false, native: false, setBy: ['SVC_AUTH_KAKAO_CLIENT_ID'] },
      { id: 'naver', web: false, native: false, setBy: pair('NAVER') },
    ])
  })

  it('has no value of a variable', async () => {
    const text = JSON.stringify((await read()).body)
    expect(text).toContain('SVC_AUTH_GOOGLE_CLIENT_SECRET')
    expect(text).not.toContain('hidden')
    expect(text).not.toContain(env.SVC_AUTH_TOKEN_ENCRYPTION_KEYS)
    expect(text).not.toContain(new URL(database?.url ?? '').pathname)
  })
})

describe('listLimitHits', () => {
  const check = () =>
    auth.call('checkUsername', undefined, undefined, { query: { username: 'a1b2' } })

  it('counts the refusals of each limit in this process, without an address or an account', async () => {
    expect((await hits()).body).toEqual({ areOn: true, instance, since: startedAt, hits: [] })
    for (let n = 0; n < limitOf('username check by address') + 2; n++) await check()
    const { body } = await hits()
    const lastAt = auth.clock.now().toISOString()
    expect(body.hits).toEqual([{ limit: 'username check by address', count: 2, lastAt }])
    expect(JSON.stringify(body)).not.toContain('127.0.0.1')
    const other = await auth.secondInstance()
    expect((await hits(root, other)).body.hits).toEqual([])
  })

  it('forgets them after 24 hours', async () => {
    auth.clock.advance('23h')
    expect((await hits()).body.hits).toHaveLength(1)
    auth.clock.advance('1h')
    const { body } = await hits()
    expect(body.hits).toEqual([])
    const since = Date.parse(body.since)
    expect(since).toBeGreaterThan(Date.parse(startedAt))
    expect(auth.clock.now().getTime() - since).toBeLessThanOrEqual(24 * 3_600_000)
  })
})

it('are refused to callers without the permission, suspended ones and strangers', async () => {
  const refused = { stranger: 401, suspended: 403, user: 403 }
  expect(await auth.answersToCallers(serverStateContract)).toEqual({
    readServerState: refused,
    listLimitHits: refused,
  })
})

it('are exposed to these callers', () => {
  expect(auth.accessOf(serverStateContract)).toEqual([
    'may server:read listLimitHits GET /_auth/admin/limits',
    'may server:read readServerState GET /_auth/admin/server',
  ])
})

it.each([
  ['readServerState', read],
  ['listLimitHits', hits],
] as const)('are asked for by each account so often: %s', async (_, ask) => {
  const operator = await auth.signedInUser({ role: 'admin' })
  for (let n = 0; n < limitOf('server state by account'); n++) {
    expect((await ask(operator)).status).toBe(200)
  }
  expect(await ask(operator)).toMatchObject({
    status: 429,
    body: { error: { code: 'TooManyRequestsError' } },
  })
})
