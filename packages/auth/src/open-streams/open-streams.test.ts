import { redisProgram, startTestRedis, type TestRedis } from '@svc/core/testing'
import { desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { limitOf } from '../limits/testing/limits.ts'
import { oneTimeTokens } from '../one-time-token/one-time-token.ts'
import { createRole } from '../roles/roles.ts'
import { streamingApplication } from '../streams/test-application.ts'
import { startTestInstance, type TestInstance } from '../streams/test-instance.ts'
import { openStream, streamToken } from '../streams/test-stream.ts'
import { startTestAuth, type TestAuth, type TestKey, type TestUser } from '../testing.ts'

// The tokens of the other instance's program.
const definition = streamingApplication({ tokenManager: oneTimeTokens })
const missing = redisProgram ? '' : ' (no redis-server on PATH)'

let auth: TestAuth
let root: TestUser

async function open(key: TestKey, at = auth.url) {
  const stream = await openStream(at, await streamToken(auth.url, auth.signerOf(key)))
  expect(stream.status).toBe(200)
  await vi.waitFor(() => expect(stream.names()).toContain('connected'))
  return stream
}

const list = (query: Record<string, unknown> = {}, user = root) =>
  auth.call('listStreams', undefined, user.key, { query })
const end = (streamId: string, user = root) =>
  auth.call('endStream', undefined, user.key, { params: { streamId } })

describe('of one instance', () => {
  beforeAll(async () => {
    auth = await startTestAuth({ definition, env: { SVC_RATE_LIMIT: 'on' } })
    root = await auth.signedInUser({ role: 'admin' })
  })
  afterAll(() => auth.stop())

  it('listStreams has each with its account, its key and what it gets', async () => {
    const user = await auth.signedInUser()
    const stream = await open(user.key)
    const { status, body } = await list({ userId: user.userId })
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        data: [
          {
            streamId: expect.stringMatching(/^[0-9a-z-]+$/),
            kind: 'sse',
            userId: user.userId,
            account: { userId: user.userId, name: user.email, isDeleted: false },
            keyId: user.key.keyId,
            subject: user.userId,
            events: ['notice'],
            openedAt: auth.clock.now().toISOString(),
            address: '127.0.0.1',
            waitingBytes: 0,
            instance: expect.any(String),
          },
        ],
        meta: { total: 1, isShared: false, instances: { answered: 1, asked: 1 } },
      },
    ])
    stream.close()
  })

  it('listStreams names no account for an operator who may not read users, and says where one is deleted', async () => {
    const role = { name: 'streams-only', displayName: 'Streams', permissions: ['stream:read'] }
    await createRole(role)
    const watcher = await auth.signedInUser({ role: role.name })
    const user = await auth.signedInUser()
    const stream = await open(user.key)
    const named = async (by = root) => (await list({ userId: user.userId }, by)).body.data[0]
    expect(await named(watcher)).toMatchObject({ userId: user.userId })
    expect(await named(watcher)).not.toHaveProperty('account')
    await auth.auth.db.update(users).set({ status: 'deleted' }).where(eq(users.userId, user.userId))
    expect((await named()).account).toEqual({ userId: user.userId, isDeleted: true })
    stream.close()
  })

  it('listStreams has 100 on a page at most, and says where the next one begins', async () => {
    const user = await auth.signedInUser()
    const streams = [await open(user.key), await open(user.key), await open(user.key)]
    const first = await list({ userId: user.userId, limit: 2 })
    expect(first.body).toMatchObject({
      data: [{}, {}],
      meta: { total: 3, next: expect.any(String) },
    })
    const second = await list({ userId: user.userId, limit: 2, after: first.body.meta.next })
    expect(second.body.data).toHaveLength(1)
    expect(second.body.meta).not.toHaveProperty('next')
    expect((await list({ limit: 101 })).status).toBe(400)
    expect((await list({ after: 'Not an id!' })).status).toBe(400)
    for (const stream of streams) stream.close()
  })

  it('endStream ends it, and writes down whose it was', async () => {
    const user = await auth.signedInUser()
    const [stream, other] = [await open(user.key), await open(user.key)]
    const { data } = (await list({ userId: user.userId })).body
    const streamId = data[1].streamId
    expect((await end(streamId)).status).toBe(204)
    await stream.ended
    expect(other.isOpen()).toBe(true)
    const [line] = await auth.auth.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.act, 'stream.ended'))
      .orderBy(desc(auditEvents.auditId))
    expect(line).toMatchObject({
      act: 'stream.ended',
      outcome: 'done',
      actor: root.userId,
      target: user.userId,
      details: { streamId, kind: 'sse', keyId: user.key.keyId },
    })
    expect(await end(streamId)).toMatchObject({
      status: 404,
      body: { error: { code: 'StreamNotFoundError' } },
    })
    // It takes nothing from the key.
    const again = await open(user.key)
    for (const each of [other, again]) each.close()
  })

  it('endStream ends those of accounts that rank below, and your own', async () => {
    const [one, other] = [
      await auth.signedInUser({ role: 'admin' }),
      await auth.signedInUser({ role: 'admin' }),
    ]
    const streams = [await open(one.key), await open(other.key)]
    const idOf = async (owner: TestUser) =>
      (await list({ userId: owner.userId })).body.data[0].streamId
    expect(await end(await idOf(other), one)).toMatchObject({
      status: 403,
      body: { error: { code: 'ForbiddenError' } },
    })
    expect(streams[1]?.isOpen()).toBe(true)
    expect((await end(await idOf(one), one)).status).toBe(204)
    await streams[0]?.ended
    expect(await end(await idOf(other), await auth.signedInUser({ role: 'superadmin' }))).toEqual(
      expect.objectContaining({ status: 204 }),
    )
    await streams[1]?.ended
  })

  it('are seen by those alone who may', async () => {
    const user = await auth.signedInUser()
    for (const answer of [await list({}, user), await end('0-00000000-1', user)]) {
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'ForbiddenError' } } })
    }
  })

  it('do not end for an operator whose proof is not fresh', async () => {
    const operator = await auth.signedInUser({ role: 'admin' })
    const stream = await open(operator.key)
    const { data } = (await list({ userId: operator.userId }, operator)).body
    auth.clock.advance('1h')
    expect(await end(data[0].streamId, operator)).toMatchObject({
      status: 403,
      body: { error: { code: 'RecentAuthenticationRequiredError' } },
    })
    expect(stream.isOpen()).toBe(true)
    stream.close()
  })

  it.each([
    ['stream list by account', list],
    ['stream end by account', () => end('0-00000000-1', root)],
  ] as const)('are asked for by each account so often: %s', async (name, ask) => {
    root = await auth.signedInUser({ role: 'admin' })
    for (let n = 0; n < limitOf(name); n++) expect((await ask()).status).not.toBe(429)
    expect(await ask()).toMatchObject({
      status: 429,
      body: { error: { code: 'TooManyRequestsError' } },
    })
    auth.clock.advance('2m')
    root = await auth.signedInUser({ role: 'admin' })
  })
})

describe.skipIf(missing)(`of two instances over Redis${missing}`, () => {
  let redis: TestRedis
  let other: TestInstance
  beforeAll(async () => {
    redis = await startTestRedis()
    const env = { CACHE_URL: redis.url }
    auth = await startTestAuth({ definition, env })
    root = await auth.signedInUser({ role: 'admin' })
    other = await startTestInstance(auth, env)
  })
  afterAll(async () => {
    await other.stop()
    await auth.stop()
    await redis.stop()
  })

  it('listStreams has those of both, and endStream ends one of the other', async () => {
    // The other process has a clock that goes.
    auth.clock.set(new Date())
    root = await auth.signedInUser({ role: 'admin' })
    const user = await auth.signedInUser()
    const [here, there] = [await open(user.key), await open(user.key, other.url)]
    const { data, meta } = (await list({ userId: user.userId })).body
    expect(meta).toEqual({ total: 2, isShared: true, instances: { answered: 2, asked: 2 } })
    const instances = new Set(data.map(({ instance }: { instance: string }) => instance))
    expect(instances.size).toBe(2)
    for (const { streamId } of data) expect((await end(streamId)).status).toBe(204)
    await Promise.all([here.ended, there.ended])
  })
})
