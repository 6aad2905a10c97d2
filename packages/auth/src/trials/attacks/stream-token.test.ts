import { defineRouter, route } from '@svc/core'
import { directRequest } from '@svc/core/client'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { issueLegacyToken } from '../../authenticate/authenticate.ts'
import { getUserId } from '../../caller/caller.ts'
import { oneTimeTokenAuth } from '../../one-time-token/one-time-token.ts'
import { routeMap } from '../../route-map.generated.ts'
import { noticeEvent, orderEvent, streamingApplication } from '../../streams/test-application.ts'
import { openStream, streamToken, type TestStream } from '../../streams/test-stream.ts'
import { startTestAuth, type TestKey } from '../../testing.ts'

const router = defineRouter({
  handshake: route
    .get('/handshake')
    .use([oneTimeTokenAuth])
    .handler((c) => getUserId(c)),
  me: route.get('/me').handler((c) => getUserId(c)),
})
let shutOut: string | undefined
const definition = streamingApplication(
  {
    authorize: (subject, events) => (subject === shutOut ? [] : events),
    filter: { notice: (subject, { to }) => to === undefined || to === subject },
    recipients: { order: ({ to }) => to ?? [] },
  },
  router,
)
const env = { SVC_AUTH_JWT_SECRET: 'a legacy secret of at least 32 characters' }
const auth = await startTestAuth({ definition, env })
const [ada, eve] = [await auth.signedInUser(), await auth.signedInUser()]
afterAll(() => auth.stop())

const opened: TestStream[] = []
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close()
})

const tokenOf = (key: TestKey) => streamToken(auth.url, auth.signerOf(key))

async function open(token: string | undefined, events = 'notice,order') {
  const stream = await openStream(auth.url, token, events)
  opened.push(stream)
  return stream
}

const statusOf = async (token: string | undefined) => (await open(token)).status

describe('the token of a stream', () => {
  it('is for the caller who signs the request for it (E-050, E-053)', async () => {
    const post = (authorization?: string) =>
      auth.fetch('/events/token', {
        method: 'POST',
        headers: authorization === undefined ? {} : { authorization },
      })
    const token = await tokenOf(ada.key)
    for (const wrong of [undefined, `Bearer ${token}`, `OTT ${token}`]) {
      expect((await post(wrong)).status).toBe(401)
    }
    // Signed by no device key: no revocation would end the stream.
    expect((await post(`Bearer ${await issueLegacyToken(ada.userId)}`)).status).toBe(403)
  })

  it('opens one stream, for any client that has it (E-055)', async () => {
    const token = await tokenOf(ada.key)
    expect([await statusOf(token), await statusOf(token)]).toEqual([200, 401])
  })

  it('opens one of sixteen at once', async () => {
    const token = await tokenOf(ada.key)
    const statuses = await Promise.all(Array.from({ length: 16 }, () => statusOf(token)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 401)).toHaveLength(15)
  })

  it('opens none once its device has signed out', async () => {
    const key = await auth.signIn(ada)
    const token = await tokenOf(key)
    await auth.call('logout', undefined, key)
    expect(await statusOf(token)).toBe(401)
  })

  it('opens none for whom authorize leaves nothing, and is spent (E-057)', async () => {
    const token = await tokenOf(eve.key)
    shutOut = eve.userId
    expect(await statusOf(token)).toBe(403)
    shutOut = undefined
    expect(await statusOf(token)).toBe(401)
  })

  it('is not in the log, used, refused or wrong', async () => {
    const token = await tokenOf(ada.key)
    await statusOf(token)
    await statusOf(token)
    await auth.fetch(`/events/stream?events=nothing&token=${token}`)
    await auth.fetch(`/nowhere?token=${token}`)
    expect(JSON.stringify(auth.logged)).not.toContain(token)
  })
})

describe('a stream', () => {
  it("has nothing of another subject's (E-058)", async () => {
    const [own, foreign] = [await open(await tokenOf(ada.key)), await open(await tokenOf(eve.key))]
    const to = ada.userId
    await noticeEvent.emit({ to, text: 'for ada' })
    await orderEvent.emit({ to, text: 'for ada' })
    await orderEvent.emit({ text: 'for nobody' })
    await noticeEvent.emit({ text: 'for all' })

    await vi.waitFor(() => expect(foreign.names()).toContain('notice'))
    expect(foreign.names()).toEqual(['connected', 'notice'])
    await vi.waitFor(() => {
      expect(own.names()).toEqual(['connected', 'notice', 'order', 'notice'])
    })
  })
})

/** Each is good for one place, and no other of these. */
const credentials = {
  'the token of a stream': () => tokenOf(ada.key),
  'a one-time token': async () =>
    (await auth.call('issueOneTimeToken', undefined, ada.key)).body.token as string,
  'a request token': async () => {
    const request = directRequest(auth.url, { ...routeMap.getAuthSession, input: {} })
    const { authorization = '' } = await auth.signerOf(ada.key)({ ...request, body: '' })
    return authorization.replace('Bearer ', '')
  },
  'a legacy token': () => issueLegacyToken(ada.userId),
}

const get = async (path: string, authorization: string) =>
  (await auth.fetch(path, { headers: { authorization } })).status

const places: Record<string, [string[], (presented: string) => Promise<number>]> = {
  'to a stream': [['the token of a stream'], statusOf],
  'to a route, in the header': [
    ['a one-time token'],
    (presented) => get('/handshake', `OTT ${presented}`),
  ],
  'to a route, in the query': [
    ['a one-time token'],
    async (presented) => (await auth.fetch(`/handshake?token=${presented}`)).status,
  ],
  'as a signature': [
    ['a request token', 'a legacy token'],
    (presented) => get('/_auth/session', `Bearer ${presented}`),
  ],
  'as a signature of an application’s route': [
    ['a legacy token'],
    (presented) => get('/me', `Bearer ${presented}`),
  ],
}

describe.each(Object.entries(places))('what is presented %s', (_, [fitting, present]) => {
  it.each(Object.entries(credentials))('%s is taken only where it belongs', async (name, make) => {
    expect(await present(await make())).toBe(fitting.includes(name) ? 200 : 401)
  })
})
