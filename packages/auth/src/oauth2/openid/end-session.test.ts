import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestAuth } from '../../testing.ts'
import { agentOptions, issuer } from '../testing/test-agent.ts'
import { openidOptions, signedOutUri, testRelyingParty } from '../testing/test-openid.ts'

const { authorizationServer } = openidOptions.options
const { clients } = authorizationServer.openid
const app = 'com.example.app:/signed-out'
const auth = await startTestAuth({
  ...openidOptions,
  options: {
    authorizationServer: {
      ...authorizationServer,
      openid: {
        clients: {
          ...clients,
          partner: { ...clients.partner, postLogoutRedirectUris: [`${signedOutUri}?from=partner`] },
          desktop: { ...clients.desktop, postLogoutRedirectUris: [app, 'http://127.0.0.1/out'] },
        },
      },
    },
  },
})
afterAll(auth.stop)
const intranet = testRelyingParty(auth)
const partner = testRelyingParty(auth, 'partner')
const user = await auth.signedInUser()
const { id_token } = await intranet.signIn(user)
const back = { post_logout_redirect_uri: signedOutUri, state: 'a state & more' }
const returned = `${signedOutUri}?state=a+state+%26+more`
const facts = { clientName: 'Intranet', sub: user.publicId }

const refusedWith = (error_description: string) => ({
  status: 303,
  told: 400,
  facts: { error: 'invalid_request', error_description },
})

describe('the logout endpoint', () => {
  it.each(['GET', 'POST'] as const)(
    'passes a request by %s on to the page of the web app',
    async (method) => {
      const asked = await intranet.signOut({ id_token_hint: id_token, ...back }, method)
      expect(asked).toMatchObject({ status: 303, told: 200 })
      const page = new URL(asked.page)
      expect([page.origin, page.pathname, [...page.searchParams.keys()]]).toEqual([
        issuer,
        '/oauth2/logout',
        ['request'],
      ])
      expect(asked.facts).toEqual({
        ...facts,
        redirectTo: returned,
        redirectHost: 'intranet.example.com',
      })
      expect(asked.page).not.toContain(id_token.split('.')[1])
    },
  )

  it('asks the user also for an application that it does not know, which gets no redirect', async () => {
    expect((await intranet.signOut({})).facts).toEqual({})
    expect((await intranet.signOut({ state: 'a state' })).facts).toEqual({})
    const named = await intranet.signOut({ client_id: 'intranet' })
    expect(named.facts).toEqual({ clientName: 'Intranet' })
    expect(await intranet.signOut(back)).toMatchObject(
      refusedWith('A post_logout_redirect_uri needs the id_token_hint or the client_id.'),
    )
  })

  it('redirects to what the operator lists for the client, letter by letter, and nowhere else', async () => {
    const to = (uri: string, client_id = 'intranet') =>
      intranet.signOut({ client_id, post_logout_redirect_uri: uri })
    expect((await to(signedOutUri)).facts.redirectTo).toBe(signedOutUri)
    for (const uri of [
      `${signedOutUri}?more=1`,
      `${signedOutUri}/`,
      `${signedOutUri}#x`,
      'https://intranet.example.com/callback',
      'https://intranet.example.com/SIGNED-OUT',
      'https://intranet.example.com@evil.example/signed-out',
      'https://evil.example/',
      '//evil.example/',
      'javascript:alert(1)',
      '',
    ]) {
      expect(await to(uri), uri).toMatchObject(
        refusedWith('The post_logout_redirect_uri is not registered for this client.'),
      )
    }
    expect((await to(signedOutUri, 'partner')).told).toBe(400)
    expect((await to('http://127.0.0.1:5000/out', 'desktop')).told).toBe(400)
    const listed = `${signedOutUri}?from=partner`
    const asked = { client_id: 'partner', post_logout_redirect_uri: listed, state: 'x' }
    expect((await partner.signOut(asked)).facts.redirectTo).toBe(`${listed}&state=x`)
    const ofApp = { client_id: 'desktop', post_logout_redirect_uri: app, state: 'x' }
    expect((await partner.signOut(ofApp)).facts).toEqual({
      clientName: 'Desktop',
      redirectTo: `${app}?state=x`,
      redirectHost: 'com.example.app:',
    })
  })

  it('takes an id token that has expired for a hint', async () => {
    auth.clock.advance(30 * 86_400_000)
    const asked = await intranet.signOut({ id_token_hint: id_token })
    expect(asked.facts).toEqual(facts)
  })

  it('takes no hint that this server has not signed, or that is another token', async () => {
    const [header = '', payload = '', signature = ''] = id_token.split('.')
    const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const other = { alg: 'ES256', kid: 'new' }
    const { access_token } = await intranet.signIn(await auth.signedInUser())
    const forged = [
      'none',
      '',
      access_token,
      `${header}.${payload}.`,
      `${encoded({ alg: 'none' })}.${payload}.`,
      `${header}.${encoded({ ...claims, sub: 'another' })}.${signature}`,
      `${encoded({ alg: 'HS256', kid: 'new' })}.${payload}.${signature}`,
      await new SignJWT(claims).setProtectedHeader(other).sign(privateKey),
    ]
    for (const id_token_hint of forged) {
      expect(await intranet.signOut({ id_token_hint, ...back }), id_token_hint).toMatchObject(
        refusedWith('The id_token_hint is not from this server.'),
      )
    }
  })

  it('takes the hint of the client that asks, and of no other one', async () => {
    const both = { id_token_hint: id_token, client_id: 'intranet', ...back }
    expect((await intranet.signOut(both)).facts.redirectTo).toBe(returned)
    expect(await partner.signOut({ ...both, client_id: 'partner' })).toMatchObject(
      refusedWith('The id_token_hint is one of another client.'),
    )
    expect(await partner.signOut({ client_id: 'unknown' })).toMatchObject(
      refusedWith('The client is not known here.'),
    )
  })

  it('signs nothing out itself: the user still has the session', async () => {
    const { key } = await auth.signedInUser()
    await intranet.signOut({ id_token_hint: id_token, ...back }, 'POST')
    expect((await auth.call('getAuthSession', undefined, key)).status).toBe(200)
  })

  it('takes each parameter once, and of a length', async () => {
    const url = `${auth.url}/_auth/oauth2/logout`
    const twice = await fetch(`${url}?client_id=intranet&client_id=partner`, { redirect: 'manual' })
    expect(twice.status).toBe(400)
    for (const [name, length] of [
      ['state', 2049],
      ['id_token_hint', 4097],
      ['client_id', 20_000],
    ] as const) {
      const body = new URLSearchParams({ [name]: 'x'.repeat(length) })
      const { status } = await fetch(url, { method: 'POST', body, redirect: 'manual' })
      expect(status, name).toBe(length > 16_384 ? 413 : 400)
    }
    const odd = {
      client_id: 'intranet',
      post_logout_redirect_uri: signedOutUri,
      state: '가'.repeat(1000),
    }
    const { facts: whole } = await intranet.signOut(odd, 'POST')
    expect(new URL(whole.redirectTo).searchParams.get('state')).toBe(odd.state)
  })
})

describe('what the page has in its address', () => {
  it('is good for an hour, and as it is', async () => {
    const { page } = await intranet.signOut({ client_id: 'intranet', ...back })
    const request = new URL(page).searchParams.get('request') ?? ''
    const [content = '', seal] = request.split('.')
    const read = async (given: string) =>
      (await intranet.signOutFacts(`${page.split('?')[0]}?request=${given}`)).told
    expect(await read(request)).toBe(200)
    const asked = Buffer.from(content, 'base64url').toString()
    const evil = asked.replace(signedOutUri, 'https://evil.example/')
    expect(evil).not.toBe(asked)
    for (const changed of [
      `${Buffer.from(evil).toString('base64url')}.${seal}`,
      content,
      `${content}.`,
      '.',
      '',
    ]) {
      expect(await read(changed), changed).toBe(400)
    }
    auth.clock.advance(3_600_000)
    expect(await read(request)).toBe(400)
  })

  it('leads to an address only as long as the client has it', async () => {
    const { page } = await intranet.signOut({ client_id: 'intranet', ...back })
    const { postLogoutRedirectUris: _, ...without } = clients.intranet
    const changed = {
      ...clients,
      intranet: without,
      partner: { ...clients.partner, postLogoutRedirectUris: [signedOutUri] },
    }
    const later = await startTestAuth({
      env: {
        ...openidOptions.env,
        SVC_AUTH_VERIFICATION_TOKEN_SECRET: auth.auth.env.SVC_AUTH_VERIFICATION_TOKEN_SECRET,
      },
      options: { authorizationServer: { ...authorizationServer, openid: { clients: changed } } },
    })
    later.clock.set(auth.clock.now())
    try {
      expect(await testRelyingParty(later).signOutFacts(page)).toMatchObject({
        told: 400,
        facts: refusedWith('The post_logout_redirect_uri is not registered for this client.').facts,
      })
    } finally {
      await later.stop()
    }
  })

  it('is no request of a sign-in, and the seal of one is no seal here', async () => {
    const { asked_at = '' } = await intranet.passedOn()
    const page = `${issuer}/oauth2/logout?request=${asked_at}`
    expect((await intranet.signOutFacts(page)).told).toBe(400)
  })
})

describe('a server without a client that has postLogoutRedirectUris', () => {
  it('has no logout endpoint', async () => {
    const { wiki } = clients
    const without = await startTestAuth({
      env: openidOptions.env,
      options: { authorizationServer: { ...authorizationServer, openid: { clients: { wiki } } } },
    })
    const none = await startTestAuth(agentOptions)
    try {
      const metadata = await (await without.fetch('/.well-known/openid-configuration')).json()
      expect(metadata).not.toHaveProperty('end_session_endpoint')
      for (const each of [without, none]) {
        expect((await each.fetch('/_auth/oauth2/logout')).status).toBe(404)
      }
    } finally {
      await Promise.all([without.stop(), none.stop()])
    }
  })
})
