import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditEvents } from '../../audit/schema.ts'
import { startTestAuth, type TestAuth, type TestUser } from '../../testing.ts'
import { readAuthorizationServer } from '../authorization-server.ts'
import { isRedirectUri } from './redirect-uri.ts'
import { oauth2Clients } from './schema.ts'
import { deleteUnused, forgetClients } from './store.ts'

const authorizationServer = { scopes: { notes: 'Your notes', 'notes:write': 'Writing notes' } }
const redirect_uris = ['https://agent.example.com/callback']

let auth: TestAuth
let open: TestAuth
let user: TestUser
beforeAll(async () => {
  ;[auth, open] = await Promise.all([
    startTestAuth({ env: { SVC_RATE_LIMIT: 'on' }, options: { authorizationServer } }),
    startTestAuth({
      options: { authorizationServer: { ...authorizationServer, registration: 'open' } },
      env: { SVC_RATE_LIMIT: 'on' },
    }),
  ])
  user = await auth.signedInUser()
})
afterAll(() => Promise.all([auth.stop(), open.stop()]))

/** In a minute of its own. */
function register(metadata: Record<string, unknown> = {}) {
  open.clock.advance('61s')
  return open.call('registerOAuth2Client', { redirect_uris, ...metadata })
}

const rowOf = (clientId: string) =>
  open.auth.db.select().from(oauth2Clients).where(eq(oauth2Clients.clientId, clientId))

describe('who may register a client', () => {
  it('is a signed-in user, and the trail has who it was (A-269)', async () => {
    const metadata = { redirect_uris, client_name: 'Agent' }
    const refused = await auth.call('registerOAuth2Client', metadata)
    expect(refused).toMatchObject({ status: 403, body: { error: 'access_denied' } })
    expect(refused.body.error_description).toMatch(/sign the request/)

    const { status, body } = await auth.call('registerOAuth2Client', metadata, user.key)
    expect(status).toBe(201)
    const where = eq(auditEvents.act, 'oauth2.client.registered')
    expect(await auth.auth.db.select().from(auditEvents).where(where)).toMatchObject([
      {
        actor: user.userId,
        target: body.client_id,
        details: { name: 'Agent', redirectHosts: ['agent.example.com'] },
      },
    ])
  })

  it('is every caller where that is open, ten times a minute', async () => {
    open.clock.advance('61s')
    const ask = () => open.call('registerOAuth2Client', { redirect_uris })
    const answers = await Promise.all(Array.from({ length: 11 }, ask))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    const [refused] = answers.filter(({ status }) => status === 429)
    expect(refused?.body.error).toBe('slow_down')
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('is no caller where it is off: there is no such route, for any request (A-268)', async () => {
    const options = {
      authorizationServer: { ...authorizationServer, registration: 'off' as const },
    }
    const off = await startTestAuth({ options })
    const answers = await Promise.all([
      off.call('registerOAuth2Client', { redirect_uris }),
      off.call('registerOAuth2Client', { redirect_uris: 7 }),
      off.call('registerOAuth2Client', undefined, undefined, { headers: { authorization: 'x' } }),
    ])
    const other = await fetch(`${off.url}/_auth/oauth2/other`, { method: 'POST' })
    await off.stop()
    const { error } = (await other.json()) as { error: { code: string } }
    for (const { status, body } of answers) {
      expect({ status, code: body.error.code }).toEqual({ status: 404, code: error.code })
    }
  })
})

describe('a registration', () => {
  it('answers what was kept, and keeps a hash of the secret alone (A-047)', async () => {
    const { status, body, headers } = await register({
      client_name: ' Our \u202Eagent\n',
      client_uri: 'https://agent.example.com/',
      grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code', 'token'],
      scope: 'notes everything notes',
      dpop_bound_access_tokens: true,
      logo_uri: 'http://169.254.169.254/',
      client_id: 'mine',
      client_secret: 'mine',
      source: 'document',
    })
    expect(status).toBe(201)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      client_id: expect.stringMatching(/^[\w-]{43}$/),
      client_id_issued_at: Math.floor(open.clock.now().getTime() / 1000),
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
      client_secret_expires_at: 0,
      client_name: 'Our agent',
      client_uri: 'https://agent.example.com/',
      redirect_uris,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'notes',
      dpop_bound_access_tokens: true,
    })
    const rows = await rowOf(body.client_id)
    expect(rows).toMatchObject([{ source: 'registration', isDpopBound: true }])
    expect(JSON.stringify(rows)).not.toContain(body.client_secret)
  })

  it('of a client that says no more has a name to show, and no secret without asking for one', async () => {
    const { body } = await register({ token_endpoint_auth_method: 'none' })
    expect(body).toMatchObject({ client_name: 'agent.example.com' })
    expect(body).not.toHaveProperty('client_secret')
    expect(body).not.toHaveProperty('client_secret_expires_at')
    expect((await register({ client_name: 'x'.repeat(200) })).body.client_name).toHaveLength(64)
  })

  it('is public where the client would rather show itself in a way that is none here, and can do without', async () => {
    const { status, body } = await register({
      token_endpoint_auth_method: 'tls_client_auth',
      token_endpoint_auth_methods_supported: ['tls_client_auth', 'none'],
      jwks_uri: 'https://agent.example.com/jwks',
    })
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { token_endpoint_auth_method: 'none' },
    })
  })

  it.each([
    { token_endpoint_auth_method: 'private_key_jwt' },
    { token_endpoint_auth_method: 'tls_client_auth' },
    { token_endpoint_auth_method: '' },
    { jwks: { keys: [] } },
    { jwks: null },
    { jwks_uri: 'https://agent.example.com/jwks' },
    { jwks: { keys: [] }, jwks_uri: 'https://agent.example.com/jwks' },
    {
      token_endpoint_auth_method: 'none',
      jwks: { keys: [] },
      jwks_uri: 'https://agent.example.com/jwks',
    },
    {
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'tls_client_auth'],
    },
    { grant_types: ['client_credentials'] },
    { grant_types: ['implicit', 'password'] },
    { grant_types: [] },
    { response_types: ['token'] },
    { response_types: ['code token'] },
  ])('is refused with %j', async (metadata) => {
    const error = 'invalid_client_metadata'
    expect(await register(metadata)).toMatchObject({ status: 400, body: { error } })
  })

  it.each([
    'http://agent.example.com/',
    'javascript:alert(1)',
    'https://user@agent.example.com/',
    'https://',
    '',
  ])('leaves out a link that cannot be shown: %s', async (client_uri) => {
    const { status, body } = await register({ client_uri })
    expect(status).toBe(201)
    expect(body).not.toHaveProperty('client_uri')
  })

  it('shows a link in its normal form', async () => {
    const { body } = await register({ client_uri: 'https://Agent.example.com' })
    expect(body.client_uri).toBe('https://agent.example.com/')
  })

  it.each([
    [undefined],
    [[]],
    [Array.from({ length: 11 }, (_, at) => `https://agent.example.com/${at}`)],
    [[...redirect_uris, 'javascript:alert(1)']],
  ])('is refused with the redirect URIs %j', async (uris) => {
    const error = 'invalid_redirect_uri'
    expect(await register({ redirect_uris: uris })).toMatchObject({ status: 400, body: { error } })
  })

  it('is refused in the words of the protocol where it is none at all', async () => {
    for (const metadata of [{ redirect_uris: 'https://a.example/' }, { client_name: {} }]) {
      const answer = await register(metadata)
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    }
  })

  it('cannot be changed: no request reads, updates or deletes it', async () => {
    const { body } = await register()
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const one = `${open.url}/_auth/oauth2/register/${body.client_id}`
      expect((await fetch(one, { method })).status).toBe(404)
      expect((await fetch(`${open.url}/_auth/oauth2/register`, { method })).status).toBe(405)
    }
  })

  it('takes the scheme of an editor, or one that the application names, and never a browser’s', async () => {
    const uri = 'cursor://anysphere.cursor-mcp/oauth/callback'
    expect((await register({ redirect_uris: [uri] })).status).toBe(201)
    expect((await register({ redirect_uris: ['myagent://callback'] })).status).toBe(400)
    expect(isRedirectUri('myagent://callback', ['myagent'])).toBe(true)
    for (const scheme of ['javascript', 'https', 'data', 'Cursor', 'a:b', '']) {
      const read = () => readAuthorizationServer({ scopes: { a: 'A' }, appSchemes: [scheme] }, {})
      expect(read).toThrow('appSchemes')
    }
  })
})

describe('a client at the token endpoint', () => {
  type Client = Record<'client_id' | 'client_secret', string>
  const clientOf = async (method: string): Promise<Client> =>
    (await register({ token_endpoint_auth_method: method })).body

  const basicOf = (id: string, secret: string) => `Basic ${btoa(`${id}:${secret}`)}`
  async function show(form: Record<string, string>, authorization?: string) {
    const answer = await fetch(`${open.url}/_auth/oauth2/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: 'unknown', ...form }),
      headers: { ...(authorization && { authorization }) },
    })
    const body = (await answer.json()) as Record<string, unknown>
    return { status: answer.status, body, challenge: answer.headers.get('www-authenticate') }
  }
  const refused = { status: 401, body: { error: 'invalid_client' } }

  it('shows its secret by the way that it has registered, and no other', async () => {
    const basic = await clientOf('client_secret_basic')
    const post = await clientOf('client_secret_post')
    const both = ({ client_id, client_secret }: Client) => ({ client_id, client_secret })
    const right = basicOf(basic.client_id, basic.client_secret)

    expect(await show({}, right)).toMatchObject({ status: 200, challenge: null })
    expect(await show({}, right.replace('Basic', 'basic'))).toMatchObject({ status: 200 })
    expect(await show({ client_id: basic.client_id }, right)).toMatchObject({ status: 200 })
    expect(await show(both(post))).toMatchObject({ status: 200 })

    expect(await show(both(basic))).toMatchObject({ ...refused, challenge: 'Bearer' })
    const other = basicOf(post.client_id, post.client_secret)
    expect(await show({}, other)).toMatchObject({ ...refused, challenge: 'Basic realm="oauth2"' })
    // Two methods at once are refused, and so is the name of another client.
    expect(await show(both(basic), right)).toMatchObject(refused)
    expect(await show({ client_id: post.client_id }, right)).toMatchObject(refused)
    expect(await show({ client_secret: basic.client_secret }, right)).toMatchObject(refused)
    // Without the secret, or with another.
    expect(await show({ client_id: post.client_id })).toMatchObject(refused)
    expect(await show({ client_id: post.client_id, client_secret: '' })).toMatchObject(refused)
    const wrong = { client_id: post.client_id, client_secret: basic.client_secret }
    expect(await show(wrong)).toMatchObject(refused)
    expect(await show({}, basicOf(basic.client_id, post.client_secret))).toMatchObject(refused)
    expect(await show({}, basicOf(basic.client_id, ''))).toMatchObject(refused)
  })

  it('has both parts of Basic encoded as in a form (RFC 6749, 2.3.1)', async () => {
    const { client_id, client_secret } = await clientOf('client_secret_basic')
    const encoded = (text: string) =>
      text.replaceAll(/./g, (each) => `%${each.charCodeAt(0).toString(16)}`)
    const authorization = basicOf(encoded(client_id), encoded(client_secret))
    expect(await show({}, authorization)).toMatchObject({ status: 200 })
  })

  it('has nothing to show where it is public, and shows nothing', async () => {
    const { client_id } = await clientOf('none')
    expect(await show({ client_id })).toMatchObject({ status: 200 })
    expect(await show({ client_id, client_secret: 'x' })).toMatchObject(refused)
    expect(await show({ client_id, client_secret: '' })).toMatchObject(refused)
    expect(await show({}, basicOf(client_id, ''))).toMatchObject(refused)
    expect(await show({}, basicOf(client_id, 'x'))).toMatchObject(refused)
  })

  it.each([
    [{}, undefined],
    [{ client_id: '' }, undefined],
    [{ client_id: 'unknown' }, undefined],
    [{ client_id: '\u0000' }, undefined],
    [{ client_id: 'unknown', client_secret: 'x' }, undefined],
    [{}, basicOf('unknown', 'x')],
    [{}, basicOf('%', '%')],
    [{}, basicOf('', 'x')],
    [{}, 'Basic'],
    [{}, 'Basic ===='],
    [{}, `Basic ${btoa('no colon')}`],
    [{}, 'Bearer x'],
  ] as [Record<string, string>, string?][])('is refused alike with %j %j', async (form, header) => {
    open.clock.advance('1s')
    const { status, body } = await show(form, header)
    expect(status).toBe(401)
    expect(body).toEqual((await show({ client_id: 'nobody', client_secret: 'x' })).body)
  })
})

describe('a client that was registered', () => {
  it('is forgotten after a day, unless something is granted to it, and then later', async () => {
    const { body: unused } = await register()
    const { body: used } = await register()
    const { userId } = await open.createUser()
    const { db } = open.auth
    await db.execute(sql`
      insert into svc_auth.oauth2_grants (state, user_id, generation, client_id, scopes, resource, redirect_uri,
        code_hash, code_challenge, code_expires_at, created_at, expires_at)
      values ('active', ${userId}, 0, ${used.client_id}, '{}', '', '', 'x', '', now(), now(), now())`)
    const kept = async () => {
      const [before, after] = await Promise.all([unused, used].map((each) => rowOf(each.client_id)))
      return [before?.length, after?.length]
    }

    open.clock.advance('23h')
    await forgetClients(db, open.clock.now())
    expect(await kept()).toEqual([1, 1])
    open.clock.advance('2h')
    await forgetClients(db, open.clock.now())
    await deleteUnused(db, [used.client_id])
    expect(await kept()).toEqual([0, 1])
    await db.execute(sql`delete from svc_auth.oauth2_grants`)
    await forgetClients(db, open.clock.now())
    expect(await kept()).toEqual([0, 0])
  })

  it('is not forgotten while it is being granted something', async () => {
    const { body } = await register()
    open.clock.advance('25h')
    const { db } = open.auth
    await db.transaction(async (tx) => {
      // What the reference of a new grant does to the row.
      await tx.execute(sql`select from svc_auth.oauth2_clients
        where client_id = ${body.client_id} for key share`)
      await forgetClients(db, open.clock.now())
    })
    expect(await rowOf(body.client_id)).toHaveLength(1)
  })
})
