import { setTimeout as wait } from 'node:timers/promises'
import { requestSigner } from '@svc/core/client'
import { redisProgram, startTestRedis, type TestRedis } from '@svc/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestKey, startTestAuth, type TestAuth, type TestUser } from '../../testing.ts'
import {
  missing,
  type ShiftedInstance,
  startShiftedInstance,
} from './far-clocks/shifted-instance.ts'

/** What both instances call themselves, so that what is signed for one is signed for the other. */
const audience = 'http://api.test'
const second = 1000

interface Prepared {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

async function send({ url }: { url: string }, { path, ...init }: Prepared) {
  const answer = await fetch(`${url}${path}`, init)
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

function post(path: string, body: object): Prepared {
  const headers = { 'content-type': 'application/json' }
  return { method: 'POST', path, headers, body: JSON.stringify(body) }
}

interface Signing {
  key: TestUser['key']
  atMillis: number
  /** As long as the server takes. */
  lifeSeconds?: number
}

async function signed(
  request: Prepared,
  { key, atMillis, lifeSeconds = 300 }: Signing,
): Promise<Prepared> {
  const sign = requestSigner(key, { audience, expiresAtMillis: atMillis + lifeSeconds * second })
  const { method, path, body = '' } = request
  const url = `${audience}${path}`
  const headers = await sign({ method, url, body, nowMillis: atMillis })
  return { ...request, headers: { ...request.headers, ...headers } }
}

const change = post('/change', {})

const caches = {
  'without a cache': '',
  'with CACHE_URL=postgres:': missing,
  'with Redis': redisProgram ? '' : ' (no redis-server on PATH)',
}

describe.each(Object.entries(caches))('F30: the clocks of two instances, %s', (cache, lacks) => {
  const reason = missing || lacks
  let redis: TestRedis | undefined
  let auth: TestAuth
  let near: ShiftedInstance
  let far: ShiftedInstance
  let user: TestUser

  beforeAll(async () => {
    if (reason) return
    if (cache === 'with Redis') redis = await startTestRedis()
    const cacheUrl = redis?.url ?? (cache === 'without a cache' ? undefined : 'postgres:')
    const shared: Record<string, string> = cacheUrl ? { CACHE_URL: cacheUrl } : {}
    auth = await startTestAuth({ env: shared })
    const env = {
      ...shared,
      NODE_ENV: 'test',
      DATABASE_URL: auth.infrastructure.database?.url ?? '',
      SVC_DATABASE_CONNECTIONS: '5',
      SVC_AUTH_VERIFICATION_TOKEN_SECRET: auth.auth.env.SVC_AUTH_VERIFICATION_TOKEN_SECRET,
      SVC_AUTH_BCRYPT_SALT_ROUNDS: '4',
      SVC_RATE_LIMIT: 'off',
      SVC_MAIL_URL: `file:${auth.outbox}`,
      SVC_SMS_URL: `file:${auth.outbox}`,
      SVC_HOST: '127.0.0.1',
      SVC_PORT: '0',
      SVC_API_URL: audience,
    }
    ;[near, far] = await Promise.all([startShiftedInstance(env, 0), startShiftedInstance(env, 120)])
    user = await auth.signedInUser()
  }, 60_000)
  afterAll(async () => {
    await Promise.all([near?.stop(), far?.stop()])
    await auth?.stop()
    await redis?.stop()
  })

  /** Sends it to both, twice at once each. Answers how many of the four were accepted. */
  async function accepted(prepared: Prepared | readonly Prepared[]) {
    const four = Array.isArray(prepared) ? prepared : Array.from({ length: 4 }, () => prepared)
    const answers = await Promise.all(four.map((each, at) => send(at % 2 ? near : far, each)))
    const isUnderstood = ({ status, body }: (typeof answers)[number]) =>
      [200, 400, 401].includes(status) || (status === 503 && body.retryAfter === 0)
    expect(answers.filter((answer) => !isUnderstood(answer))).toEqual([])
    return answers.filter(({ status }) => status < 300).length
  }

  /** What was signed before the cache was there has to be signed again: 503 with Retry-After: 0. */
  const isBeforeCache = (off: number) => off < 0 && cache !== 'without a cache'

  it.skipIf(reason)(`the one that starts 120 s off is not ready, and lives${reason}`, async () => {
    const { status, body } = await far.ready()
    expect(status).toBe(503)
    expect(body).toMatchObject({ status: 'degraded', clock: { state: 'off' } })
    expect((await far.live()).status).toBe(200)
    expect(far.logged.join('')).toMatch(
      /"msg":"the clock of this machine is 1(19\.\d|20\.\d) s ahead/,
    )
    expect(await near.ready()).toMatchObject({ status: 200, body: { clock: { state: 'right' } } })
  })

  it.skipIf(reason)(
    `one that jumps while it runs is not ready until its clock comes back${reason}`,
    async () => {
      for (const off of [-120, 120]) {
        await far.setAhead(off)
        const { status, body } = await far.ready()
        expect({ status, state: body.clock.state }).toEqual({ status: 503, state: 'off' })
        expect(Math.abs(body.clock.aheadMillis - off * second)).toBeLessThan(second)
        await far.setAhead(0)
        expect(await far.ready()).toMatchObject({
          status: 200,
          body: { status: 'ok', clock: { state: 'right' } },
        })
      }
    },
  )

  it.skipIf(reason).each([120, -120])(
    `a signed request is accepted once by both together, whichever of them is asked, at %i s and when the clocks meet${reason}`,
    async (off) => {
      await far.setAhead(off)
      const now = Date.now()
      const { key } = user
      const requests = {
        byNear: await signed(change, { key, atMillis: now }),
        byFar: await signed(change, { key, atMillis: now + off * second }),
        between: await signed(change, { key, atMillis: now + (off / 2) * second }),
      }
      const counts = { byNear: 0, byFar: 0, between: 0 }
      const present = async () => {
        for (const name of ['byNear', 'byFar', 'between'] as const)
          counts[name] += await accepted(requests[name])
      }
      await present()
      // Two minutes pass at one, and the other comes back to the time of the first.
      await near.setAhead(off)
      await present()
      await far.setAhead(0)
      await present()
      await near.setAhead(0)
      await present()
      await Promise.all([near.setAhead(60), far.setAhead(60)])
      await present()
      await Promise.all([near.setAhead(0), far.setAhead(0)])
      const others = isBeforeCache(off) ? 0 : 1
      expect(counts).toEqual({ byNear: 1, byFar: others, between: others })
    },
    60_000,
  )

  it.skipIf(reason)(
    `what one that is ahead takes at the last moment is not forgotten while the other would take it${reason}`,
    async () => {
      await far.setAhead(120)
      const request = await signed(change, {
        key: user.key,
        atMillis: Date.now(),
        lifeSeconds: 122,
      })
      expect((await send(far, request)).status).toBe(200)
      await wait(2500)
      const { status, body } = await send(near, request)
      expect({ status, code: body.error?.code }).toEqual({
        status: 401,
        code: 'RequestReplayedError',
      })
    },
  )

  it.skipIf(reason).each([120, -120])(
    `one-time tokens and codes count once at both together, at %i s${reason}`,
    async (off) => {
      await far.setAhead(off)
      for (const [issuer, at] of [
        [near, 0],
        [far, off],
      ] as const) {
        if (isBeforeCache(at)) continue
        const ask = await signed(post('/_auth/tokens', {}), {
          key: user.key,
          atMillis: Date.now() + at * second,
        })
        const { status, body } = await send(issuer, ask)
        expect(status).toBe(200)
        const open: Prepared = { method: 'GET', path: `/by-token?token=${body.token}` }
        // Of the two, one may take it for expired.
        expect((await accepted(open)) + (await accepted(open))).toBe(1)
      }
      const code = await auth.requestCode(user.email)
      const target = { target: user.email, targetType: 'email', purpose: 'login' }
      const verify = post('/_auth/codes/verify', { ...target, code })
      expect(await accepted(verify)).toBe(1)

      const verificationToken = await auth.verificationToken(user.email)
      const logins = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const { registration } = await createTestKey()
          return post('/_auth/login', { email: user.email, verificationToken, ...registration })
        }),
      )
      expect(await accepted(logins)).toBe(1)
      await far.setAhead(0)
    },
    60_000,
  )
})
