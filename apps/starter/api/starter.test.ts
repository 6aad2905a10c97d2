import { createAuthApi } from '@svc/auth'
import { createTestKey, startTestAuth, type TestUser } from '@svc/auth/testing'
import { routeMapOfServer } from '@svc/core'
import { createAuthSSEClient } from '@svc/core/client'
import { organizationClient } from '@svc/organizations'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { agentOptions, domainOptions, supportOptions, webOrigins } from './env.ts'
import { type eventRouter, noticePosted } from './events.ts'
import { accountName } from './notices/post-notice.ts'
import { routeMap } from './route-map.generated.ts'
import type { AppRouter } from './router.ts'
import server from './server.ts'

const starter = await startTestAuth({ definition: server })
afterAll(() => starter.stop())

const admin = await starter.signedInUser({ role: 'admin', email: 'ada@example.com' })
const user = await starter.signedInUser({ email: 'grace@example.com' })

const apiOf = ({ key }: Pick<TestUser, 'key'>) =>
  starter.api<AppRouter>({ sign: starter.signerOf(key) })
const api = apiOf(admin)

async function post(text: string) {
  starter.clock.advance('1s')
  return api.createNotice.call({ body: { text } })
}

describe('getMe', () => {
  it('says who is signed in, and what they may do', async () => {
    expect(await api.getMe.call()).toEqual({
      userId: admin.userId,
      name: 'ada',
      role: 'admin',
      permissions: expect.arrayContaining(['notice:write']),
    })
    expect((await apiOf(user).getMe.call()).permissions).not.toContain('notice:write')
  })

  it('refuses a caller who is not signed in', async () => {
    const strangers = [starter.api<AppRouter>(), apiOf({ key: await createTestKey() })]
    for (const stranger of strangers) {
      const answer = await stranger.getMe.try()
      expect(answer).toMatchObject({ ok: false, error: { name: 'UnauthorizedError' } })
    }
  })
})

describe('the mailbox', () => {
  it('is there without a sign-in', async () => {
    const answer = await starter.fetch('/_ops/mailbox')
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('<title>Mailbox</title>')
  })
})

describe('mailSignOutLink', () => {
  it('mails a link that signs every device out, once (A-211)', async () => {
    const owner = await starter.signedInUser()
    const ask = () => apiOf(owner).mailSignOutLink.call()
    const token = await starter.linkSentBy(ask, owner.email, 'revoke-all')
    const consume = () => starter.call('consumeRevokeAllLink', { token })
    expect(await consume()).toMatchObject({ status: 200, body: { revokedCount: 1 } })
    expect(await consume()).toMatchObject({ status: 404 })
  })

  it('is for signed-in users', async () => {
    const answer = await starter.api<AppRouter>().mailSignOutLink.try()
    expect(answer).toMatchObject({ ok: false, error: { name: 'UnauthorizedError' } })
  })
})

describe('createNotice', () => {
  it('answers 201 with the notice', async () => {
    const body = JSON.stringify({ text: 'Hello' })
    const sign = starter.signerOf(admin.key)
    const signed = await sign({ method: 'POST', url: `${starter.url}/notices`, body })
    const answer = await starter.fetch('/notices', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed },
      body,
    })

    expect(answer.status).toBe(201)
    expect(await answer.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      text: 'Hello',
      author: 'ada',
      createdAt: starter.clock.now().toISOString(),
    })
  })

  it('needs the permission notice:write', async () => {
    const body = { text: 'Not from me' }
    const attempts = [
      await apiOf(user).createNotice.try({ body }),
      await starter.api<AppRouter>().createNotice.try({ body }),
    ]
    expect(attempts).toMatchObject([
      { ok: false, error: { name: 'ForbiddenError' } },
      { ok: false, error: { name: 'UnauthorizedError' } },
    ])
  })

  it('is signed by name, and never with a whole address', () => {
    expect(accountName({ username: 'ada_l', email: 'ada@example.com' })).toBe('ada_l')
    expect(accountName({ username: null, email: 'ada@example.com' })).toBe('ada')
    expect(accountName({ username: null, email: null })).toBe('someone')
  })

  it('refuses what no text can hold', async () => {
    expect(await api.createNotice.try({ body: { text: 'a\0b' } })).toMatchObject({
      ok: false,
      error: { name: 'BadRequestError' },
    })
  })

  it('takes 1 to 500 characters', async () => {
    expect(await post('x'.repeat(500))).toMatchObject({ author: 'ada' })
    for (const text of ['', 'x'.repeat(501)]) {
      const answer = await api.createNotice.try({ body: { text } })
      expect(answer).toMatchObject({
        ok: false,
        error: { name: 'ValidationError', fields: [{ path: 'body.text' }] },
      })
    }
  })
})

describe('notice', () => {
  it('is emitted for a posted notice, and logged by a job', async () => {
    const emitted: unknown[] = []
    const unsubscribe = noticePosted.subscribe((payload) => emitted.push(payload))
    const { id, text, author } = await post('Heard by all')
    unsubscribe()

    expect(emitted).toEqual([{ id, text, author }])
    await vi.waitFor(() => {
      expect(starter.logged).toContainEqual(
        expect.objectContaining({ noticeId: id, msg: 'a notice was posted' }),
      )
    }, 10_000)
  })
})

describe('listNotices', () => {
  it('is open to all', async () => {
    await post('For everybody')
    const { data } = await starter.api<AppRouter>().listNotices.call({ query: { limit: 1 } })
    expect(data).toMatchObject([{ text: 'For everybody' }])
  })

  it('lists the newest first, page by page', async () => {
    const posted = [await post('one'), await post('two'), await post('three')].toReversed()
    const { data, meta } = await api.listNotices.call({ query: { page: 1, limit: 3 } })

    expect(data).toEqual(posted)
    expect(meta.pagination).toMatchObject({ page: 1, limit: 3 })
    const second = await api.listNotices.call({ query: { page: 2, limit: 2 } })
    expect(second.data[0]).toEqual(posted[2])
  })

  it('has 20 on a page unless asked otherwise, and 100 at most', async () => {
    for (let count = 0; count < 21; count++) await post(`notice ${count}`)

    expect((await api.listNotices.call({ query: {} })).data).toHaveLength(20)
    const answer = await api.listNotices.try({ query: { limit: 101 } })
    expect(answer).toMatchObject({ ok: false, error: { fields: [{ path: 'query.limit' }] } })
  })

  it('answers a page beyond the last with nothing on it', async () => {
    const { data, meta } = await api.listNotices.call({ query: { page: 1_000_000 } })
    expect(data).toEqual([])
    expect(meta.pagination.total).toBeGreaterThan(0)
  })
})

describe('the board of an organization', async () => {
  const organizationsOf = ({ key }: Pick<TestUser, 'key'>) =>
    createAuthApi({
      baseUrl: starter.url,
      clients: [organizationClient],
      sign: starter.signerOf(key),
    })
  const createdBy = async (owner: TestUser, name: string) =>
    (await organizationsOf(owner).createOrganization.call({ body: { name } })).organizationId
  const acme = await createdBy(admin, 'Acme')
  const beta = await createdBy(admin, 'Beta')

  it('has the notices of this organization only', async () => {
    const body = { text: 'For Acme' }
    const posted = await api.createOrgNotice.call({ params: { org: acme }, body })
    expect(posted).toMatchObject({ text: 'For Acme', author: 'ada' })
    const listed = await Promise.all(
      [acme, beta].map((org) => api.listOrgNotices.call({ params: { org } })),
    )
    expect(listed.map(({ data }) => data)).toEqual([[posted], []])
    expect(listed.map(({ meta }) => meta.pagination.total)).toEqual([1, 0])
  })

  it('is there for its members only', async () => {
    const params = { org: acme }
    const refused = { error: { name: 'OrganizationNotFoundError' } }
    const { listOrgNotices, createOrgNotice } = apiOf(user)
    expect(await listOrgNotices.try({ params })).toMatchObject(refused)
    const body = { text: 'Not from me' }
    expect(await createOrgNotice.try({ params, body })).toMatchObject(refused)
  })

  it('is there for a program of this organization, and for none of another one', async () => {
    const account = { name: 'Nightly', roles: ['member'] }
    const owner = organizationsOf(admin)
    const params = { org: beta }
    const { userId } = await owner.createServiceAccount.call({ params, body: account })
    const key = await createTestKey()
    const ofAccount = { ...params, userId }
    await owner.createServiceKey.call({ params: ofAccount, body: key.registration })
    const { listOrgNotices, createOrgNotice } = apiOf({ key })
    const body = { text: 'From a program' }
    const posted = await createOrgNotice.call({ params, body })
    expect((await listOrgNotices.call({ params })).data).toEqual([posted])
    const refused = { error: { name: 'OrganizationNotFoundError' } }
    expect(await listOrgNotices.try({ params: { org: acme } })).toMatchObject(refused)
    expect(await createOrgNotice.try({ params: { org: acme }, body })).toMatchObject(refused)
  })

  it('tells its members at once what is posted, and no others', async () => {
    const heard: string[] = []
    const follow = (who: TestUser, org: string) =>
      new Promise<string>((settle) => {
        const client = createAuthSSEClient<typeof eventRouter>({
          host: starter.url,
          sign: starter.signerOf(who.key),
        })
        const end = client.subscribe({
          handlers: {},
          channels: { orgNotice: { [org]: ({ text }) => heard.push(`${org} ${text}`) } },
          onOpen: () => settle('open'),
          onRejected: ({ name }) => settle(name),
        })
        onTestFinished(end)
      })
    expect(
      await Promise.all([follow(admin, acme), follow(admin, beta), follow(user, beta)]),
    ).toEqual(['open', 'open', 'ForbiddenError'])
    await api.createOrgNotice.call({ params: { org: beta }, body: { text: 'News' } })
    await vi.waitFor(() => expect(heard).toEqual([`${beta} News`]))
  })
})

describe('streams', () => {
  async function tokenOf({ key }: Pick<TestUser, 'key'>): Promise<string> {
    const url = `${starter.url}/events/token`
    const headers = await starter.signerOf(key)({ method: 'POST', url, body: '' })
    const answer = await fetch(url, { method: 'POST', headers: { ...headers } })
    return (await answer.json()).token
  }

  async function openSocket(token: string) {
    const url = `${starter.url.replace('http', 'ws')}/events/ws`
    const socket = new WebSocket(url, ['svc.v1', `svc.token.${token}`])
    const frames: unknown[] = []
    socket.addEventListener('message', ({ data }) => frames.push(JSON.parse(data)))
    const closed = new Promise((resolve) => socket.addEventListener('close', resolve))
    await new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }))
    const send = (type: string, data: unknown) => socket.send(JSON.stringify({ type, data }))
    return { frames, send, closed, close: () => socket.close() }
  }

  it('show every signed-in user the notices that are posted', async () => {
    const path = '/events/stream?events=notice'
    const stream = await starter.fetch(`${path}&token=${await tokenOf(user)}`)
    const { id } = await post('Heard at once')

    let received = ''
    for await (const bytes of stream.body ?? []) {
      received += Buffer.from(bytes).toString()
      if (received.includes(id)) break
    }
    expect(received).toContain(
      `event: notice\ndata: ${JSON.stringify({ id, text: 'Heard at once', author: 'ada' })}\n`,
    )
  })

  it('are closed to callers who are not signed in', async () => {
    expect((await starter.fetch('/events/stream?events=notice')).status).toBe(401)
    expect((await starter.fetch('/events/token', { method: 'POST' })).status).toBe(401)
  })

  it('end with the device that opened them', async () => {
    const key = await starter.signIn(user)
    const socket = await openSocket(await tokenOf({ key }))
    await starter.call('logout', undefined, key)
    await socket.closed
  })

  it('are sockets as well, which answer an echo', async () => {
    const socket = await openSocket(await tokenOf(user))
    socket.send('echo', { text: 'Hello' })
    const { id } = await post('Heard by sockets')

    await vi.waitFor(() => {
      expect(socket.frames).toContainEqual({ type: 'echo', data: { text: 'Hello' } })
      expect(socket.frames).toContainEqual(
        expect.objectContaining({ type: 'notice', data: expect.objectContaining({ id }) }),
      )
    })
    socket.close()
  })
})

it('has the route map of its server (E-051)', () => {
  expect(routeMap).toEqual(routeMapOfServer(server))
})

describe('webOrigins', () => {
  it('is where browsers find the web app: on this machine unless said', () => {
    expect(webOrigins({})).toEqual(['http://localhost:3790', 'http://127.0.0.1:3790'])
    const inside = { SVC_APP_URL: 'http://web:3790' }
    expect(webOrigins(inside)).toEqual(['http://web:3790'])
    const outside = { ...inside, NEXT_PUBLIC_SVC_APP_URL: 'https://app.example.com/' }
    expect(webOrigins(outside)).toEqual(['https://app.example.com'])
  })
})

it('has support sessions where SUPPORT_SESSIONS is `code`, and none otherwise', async () => {
  expect(supportOptions({ SUPPORT_SESSIONS: 'code' })).toEqual({ support: { consent: 'code' } })
  for (const SUPPORT_SESSIONS of [undefined, '', 'none', 'on']) {
    expect(supportOptions({ SUPPORT_SESSIONS })).toEqual({})
  }
  expect(await starter.call('createSupportCode', {}, user.key)).toMatchObject({ status: 404 })
})

it('asks the name servers of DNS_SERVERS for the records of domains, or those of the machine', () => {
  const { dnsResolver } = domainOptions({ DNS_SERVERS: '192.0.2.1, 127.0.0.1:5353' })
  expect(dnsResolver?.getServers()).toEqual(['192.0.2.1', '127.0.0.1:5353'])
  expect(domainOptions({})).toEqual({})
  expect(domainOptions({ DNS_SERVERS: '' })).toEqual({})
})

it('reads the documents of agents at CLIENT_DOCUMENT_HOSTS, or anywhere', () => {
  const hosts = ['claude.ai', 'chatgpt.com']
  expect(agentOptions({ CLIENT_DOCUMENT_HOSTS: 'claude.ai, chatgpt.com' })).toEqual({
    clientDocuments: { hosts },
  })
  expect(agentOptions({})).toEqual({})
  expect(agentOptions({ CLIENT_DOCUMENT_HOSTS: '' })).toEqual({})
})

it('answers the operations of the auth package beside its own (A-006)', async () => {
  const answer = await starter.call('getAuthSession', undefined, user.key)
  expect(answer).toMatchObject({ status: 200, body: { userId: user.userId } })
})
