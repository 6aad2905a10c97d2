import { defineRouter, route } from '@svc/core'
import { afterAll, describe, expect, it } from 'vitest'
import { getUserId } from '../caller/caller.ts'
import { streamingApplication } from '../streams/test-application.ts'
import { askForToken, openStream, streamToken } from '../streams/test-stream.ts'
import { startTestAuth, type TestKey } from '../testing.ts'
import { oneTimeTokenAuth, oneTimeTokens } from './one-time-token.ts'
import { oneTimeTokens as rows } from './schema.ts'

const router = defineRouter({
  handshake: route
    .get('/handshake')
    .use([oneTimeTokenAuth])
    .handler((c) => getUserId(c)),
})
const ignored = {
  tokenTtl: 1,
  store: {
    set: () => Promise.reject(new Error('not this one')),
    consume: () => Promise.reject(new Error('not this one')),
    cleanup: () => {},
  },
}
const definition = streamingApplication({ tokenManager: oneTimeTokens, ...ignored }, router)
const auth = await startTestAuth({ definition })
const other = await auth.secondInstance()
const { key, userId } = await auth.signedInUser()
afterAll(() => auth.stop())

const eventsToken = (by: TestKey = key) => streamToken(auth.url, auth.signerOf(by))

const issueOneTimeToken = async (by: TestKey = key): Promise<string> =>
  (await auth.call('issueOneTimeToken', undefined, by)).body.token

const handshake = (token: string) =>
  auth.fetch('/handshake', { headers: { authorization: `OTT ${token}` } })

async function opens(token: string, at = auth.url) {
  const stream = await openStream(at, token)
  stream.close()
  return stream.status
}

describe('oneTimeTokens as the tokens of streams', () => {
  it.each([
    ['eventsToken', eventsToken],
    ['issueOneTimeToken', issueOneTimeToken],
  ])('open a stream or a route, once, if made by %s (E-065)', async (_, ask) => {
    const [forStream, forRoute] = [await ask(), await ask()]
    expect(await opens(forStream)).toBe(200)
    expect(await opens(forStream)).toBe(401)
    expect((await handshake(forStream)).status).toBe(401)

    expect(await (await handshake(forRoute)).json()).toBe(userId)
    expect(await opens(forRoute)).toBe(401)
  })

  it('are known to every instance without a shared cache, and one of sixteen opens a stream', async () => {
    const token = await eventsToken()
    const statuses = await Promise.all(
      Array.from({ length: 16 }, (_, at) => opens(token, at % 2 ? other.url : auth.url)),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 401)).toHaveLength(15)
  })

  it('live for 30 seconds, and their hash alone is kept', async () => {
    const [inTime, tooLate] = [await eventsToken(), await eventsToken()]
    expect(JSON.stringify(await auth.auth.db.select().from(rows))).not.toContain(inTime)
    // Streams ask the service that started last.
    for (const { clock } of [auth, other]) clock.advance(29_999)
    expect(await opens(inTime)).toBe(200)
    for (const { clock } of [auth, other]) clock.advance(1)
    expect(await opens(tooLate)).toBe(401)
  })

  it.each(['', 'no-token', 'x'.repeat(43)])('take "%s" for none', async (token) => {
    expect(await opens(token)).toBe(401)
  })

  it('open nothing when the device was signed out meanwhile', async () => {
    const device = (await auth.signedInUser()).key
    const token = await eventsToken(device)
    await auth.call('logout', undefined, device)
    expect(await opens(token)).toBe(401)
  })
})

describe('oneTimeTokens with a getSubject', () => {
  it('are refused for a name that is no account: nothing would keep it', async () => {
    const getSubject = () => 'tenant-1'
    const odd = await startTestAuth({
      definition: streamingApplication({ tokenManager: oneTimeTokens, getSubject }),
    })
    const user = await odd.signedInUser()
    const { status } = await askForToken(odd.url, odd.signerOf(user.key))
    expect(status).toBe(500)
    expect(JSON.stringify(odd.logged)).toContain('leave getSubject out')
    await odd.stop()
  })
})
