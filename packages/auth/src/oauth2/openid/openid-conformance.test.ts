import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { SignJWT } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { profiles } from '../../accounts/schema.ts'
import { startTestAuth } from '../../testing.ts'
import { issuer, pkce, refused } from '../testing/test-agent.ts'
import {
  openidOptions,
  redirectUri,
  secret,
  signedOutUri,
  testRelyingParty,
} from '../testing/test-openid.ts'

// The cases of the certification's plans that apply here, by their ids. The page of the reference has all of them.

const auth = await startTestAuth(openidOptions)
afterAll(auth.stop)
const { answered, redeem, signIn, userinfo, claimsOf, passedOn, decide, visit, asked, signOut } =
  testRelyingParty(auth)
const user = await auth.signedInUser()
await auth.auth.db
  .update(profiles)
  .set({ displayName: 'Ada Lovelace' })
  .where(eq(profiles.userId, user.userId))

/** What an application reads in the end, if it sends these fields. */
async function read(fields: Record<string, string | undefined> = {}) {
  const tokens = await signIn(user, fields)
  const { claims, header } = await claimsOf(tokens.id_token)
  const { status, body } = await userinfo(tokens.access_token)
  expect([status, body.sub, claims.sub]).toEqual([200, user.publicId, user.publicId])
  return { claims, header, known: body, scope: tokens.scope }
}

const named = { name: 'Ada Lovelace' }
const mailed = { email: user.email, email_verified: true }

/** What the page reads after a logout that the application has started as the case says. */
async function signedOut(fields: Record<string, string | undefined> = {}) {
  const { id_token } = await signIn(user)
  const given = {
    id_token_hint: id_token,
    post_logout_redirect_uri: signedOutUri,
    state: 'a state',
  }
  const { status, told, facts } = await signOut({ ...given, ...fields })
  expect(status).toBe(303)
  return { told, facts }
}

const asks = {
  clientName: 'Intranet',
  sub: user.publicId,
  redirectHost: new URL(signedOutUri).host,
}
const shows = (words: string) => ({ told: 400, facts: { error_description: words } })

const cases: Record<string, () => Promise<void>> = {
  'oidcc-server': async () => {
    const { claims, known } = await read()
    expect(claims).toMatchObject({ iss: issuer, aud: 'intranet', nonce: 'a nonce' })
    expect(known).toMatchObject({ ...named, ...mailed })
  },
  'oidcc-response-type-missing': async () => {
    const { searchParams } = await visit(asked({ response_type: undefined }))
    expect(searchParams.get('error')).toBe('unsupported_response_type')
  },
  'oidcc-idtoken-signature': async () => {
    const { header } = await read()
    expect(header).toMatchObject({ alg: 'ES256', kid: 'new' })
  },
  'oidcc-userinfo-get': async () => {
    const { access_token } = await signIn(user)
    expect((await userinfo(access_token)).status).toBe(200)
  },
  'oidcc-userinfo-post-header': async () => {
    const { access_token } = await signIn(user)
    expect((await userinfo(access_token, { method: 'POST' })).status).toBe(200)
  },
  'oidcc-scope-profile': async () => {
    expect((await read({ scope: 'openid profile' })).known).toMatchObject(named)
  },
  'oidcc-scope-email': async () => {
    expect((await read({ scope: 'openid email' })).known).toMatchObject(mailed)
  },
  'oidcc-scope-address': async () => {
    expect((await read({ scope: 'openid address' })).scope).toBe('openid')
  },
  'oidcc-scope-phone': async () => {
    expect((await read({ scope: 'openid phone' })).scope).toBe('openid')
  },
  'oidcc-scope-all': async () => {
    const { known } = await read({ scope: 'openid profile email address phone' })
    expect(known).toMatchObject({ ...named, ...mailed })
  },
  'oidcc-ensure-other-scope-order-succeeds': async () => {
    expect((await read({ scope: 'email openid' })).known).toMatchObject(mailed)
  },
  'oidcc-display-page': async () => void (await read({ display: 'page' })),
  'oidcc-display-popup': async () => void (await read({ display: 'popup' })),
  'oidcc-prompt-login': async () => {
    const { claims: first } = await read()
    auth.clock.advance(2000)
    const fields = await passedOn({ prompt: 'login' })
    expect(await decide(user, fields)).toMatchObject({ status: 403 })
    auth.clock.advance(2000)
    await auth.proveRecent(user)
    const { body } = await decide(user, fields)
    const code = new URL(body.redirectTo).searchParams.get('code') ?? ''
    const { claims } = await claimsOf((await redeem(code)).body.id_token)
    expect(claims.auth_time).toBe(Number(first.auth_time) + 4)
  },
  'oidcc-prompt-none-not-logged-in': async () => {
    const { searchParams } = await visit(await passedOn({ prompt: 'none' }))
    expect(searchParams.get('error')).toBe('login_required')
  },
  'oidcc-prompt-none-logged-in': async () => {
    const { claims: first } = await read()
    const { code } = await answered(user, { prompt: 'none' })
    const { claims } = await claimsOf((await redeem(code)).body.id_token)
    expect(claims).toMatchObject({ sub: first.sub, auth_time: first.auth_time })
  },
  'oidcc-max-age-1': async () => {
    auth.clock.advance(1500)
    expect(await decide(user, await passedOn({ max_age: '1' }))).toMatchObject({ status: 403 })
  },
  'oidcc-max-age-10000': async () => {
    const { claims: first } = await read()
    const { claims } = await read({ max_age: '10000' })
    expect(claims.auth_time).toBe(first.auth_time)
  },
  'oidcc-ensure-request-with-unknown-parameter-succeeds': async () =>
    void (await read({ extra: 'foobar' })),
  'oidcc-id-token-hint': async () => {
    const { id_token } = await signIn(user)
    await read({ prompt: 'none', id_token_hint: id_token })
  },
  'oidcc-login-hint': async () => void (await read({ login_hint: 'buffy@example.com' })),
  'oidcc-ui-locales': async () => void (await read({ ui_locales: 'se' })),
  'oidcc-claims-locales': async () => void (await read({ claims_locales: 'se' })),
  'oidcc-ensure-request-with-acr-values-succeeds': async () =>
    void (await read({ acr_values: '1 2' })),
  'oidcc-codereuse': async () => {
    const { code } = await answered(user)
    expect(await redeem(code)).toMatchObject({ status: 200 })
    expect(await redeem(code)).toMatchObject(refused('invalid_grant'))
  },
  'oidcc-codereuse-30seconds': async () => {
    const { code } = await answered(user)
    const { body } = await redeem(code)
    auth.clock.advance(30_000)
    expect(await redeem(code)).toMatchObject(refused('invalid_grant'))
    expect((await userinfo(body.access_token)).status).toBe(401)
  },
  'oidcc-ensure-registered-redirect-uri': async () => {
    const { origin } = await visit(asked({ redirect_uri: `${redirectUri}/other` }))
    expect(origin).toBe(issuer)
  },
  'oidcc-ensure-post-request-succeeds': async () => {
    const url = `${auth.url}/_auth/oauth2/authorize`
    const answer = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(asked()),
      redirect: 'manual',
    })
    const next = new URL(answer.headers.get('location') ?? '', url)
    const { searchParams } = await visit(Object.fromEntries(next.searchParams))
    const { body } = await decide(user, Object.fromEntries(searchParams))
    const code = new URL(body.redirectTo).searchParams.get('code') ?? ''
    expect(await redeem(code)).toMatchObject({ status: 200 })
  },
  'oidcc-server-client-secret-post': async () => {
    const { code } = await answered(user)
    const form = { client_id: 'intranet', client_secret: secret }
    expect(await redeem(code, form, {})).toMatchObject({ status: 200 })
  },
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': async () => {
    const { searchParams } = await visit(asked({ request: 'eyJhbGciOiJub25lIn0.e30.' }))
    expect(searchParams.get('error')).toBe('request_not_supported')
  },
  'oidcc-ensure-request-object-with-redirect-uri': async () => {
    const { searchParams } = await visit(asked({ request: 'eyJhbGciOiJub25lIn0.e30.' }))
    expect(searchParams.get('error')).toBe('request_not_supported')
  },
  'oidcc-ensure-request-with-valid-pkce-succeeds': async () => {
    const { verifier, challenge } = pkce()
    const fields = { code_challenge: challenge, code_challenge_method: 'S256' }
    const { code } = await answered(user, fields)
    expect(await redeem(code, { code_verifier: verifier })).toMatchObject({ status: 200 })
  },
  'oidcc-rp-initiated-logout-discovery-endpoint-verification': async () => {
    const metadata = await (await auth.server.fetch('/.well-known/openid-configuration')).json()
    expect(metadata.end_session_endpoint).toBe(`${issuer}/_auth/oauth2/logout`)
  },
  'oidcc-rp-initiated-logout': async () => {
    const { facts } = await signedOut()
    expect(facts).toEqual({ ...asks, redirectTo: `${signedOutUri}?state=a+state` })
  },
  'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri': async () => {
    expect(await signedOut({ post_logout_redirect_uri: `${signedOutUri}/bad` })).toMatchObject(
      shows('The post_logout_redirect_uri is not registered for this client.'),
    )
  },
  'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri': async () => {
    expect(await signedOut({ post_logout_redirect_uri: `${signedOutUri}?foo=bar` })).toMatchObject(
      shows('The post_logout_redirect_uri is not registered for this client.'),
    )
  },
  'oidcc-rp-initiated-logout-modified-id-token-hint': async () => {
    const { id_token } = await signIn(user)
    const [header, , signature] = id_token.split('.')
    const claims = Buffer.from(JSON.stringify({ sub: 'another' })).toString('base64url')
    expect(await signedOut({ id_token_hint: `${header}.${claims}.${signature}` })).toMatchObject(
      shows('The id_token_hint is not from this server.'),
    )
  },
  'oidcc-rp-initiated-logout-bad-id-token-hint': async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const header = { alg: 'ES256', kid: 'new' }
    const claims = { iss: issuer, aud: 'intranet', sub: user.publicId }
    const id_token_hint = await new SignJWT(claims).setProtectedHeader(header).sign(privateKey)
    expect(await signedOut({ id_token_hint })).toMatchObject(
      shows('The id_token_hint is not from this server.'),
    )
  },
  'oidcc-rp-initiated-logout-no-id-token-hint': async () => {
    expect(await signedOut({ id_token_hint: undefined })).toMatchObject(
      shows('A post_logout_redirect_uri needs the id_token_hint or the client_id.'),
    )
  },
  'oidcc-rp-initiated-logout-no-params': async () => {
    expect(await signOut({})).toMatchObject({ status: 303, told: 200, facts: {} })
  },
  'oidcc-rp-initiated-logout-only-state': async () => {
    expect(await signOut({ state: 'a state' })).toMatchObject({ told: 200, facts: {} })
  },
  'oidcc-rp-initiated-logout-no-post-logout-redirect-uri': async () => {
    const { facts } = await signedOut({ post_logout_redirect_uri: undefined })
    expect(facts).toEqual({ clientName: 'Intranet', sub: user.publicId })
  },
  'oidcc-rp-initiated-logout-no-state': async () => {
    expect((await signedOut({ state: undefined })).facts.redirectTo).toBe(signedOutUri)
  },
  'oidcc-discovery-endpoint-verification': async () => {
    const metadata = await (await auth.server.fetch('/.well-known/openid-configuration')).json()
    expect(metadata.issuer).toBe(issuer)
    // Section 3 of Discovery requires RS256, which needs a key of RSA.
    expect(metadata.id_token_signing_alg_values_supported).toContain('RS256')
    const { keys } = await (
      await fetch(metadata.jwks_uri.replace(`${issuer}/`, `${auth.url}/`))
    ).json()
    for (const key of keys) expect(key).not.toHaveProperty('d')
  },
}

describe('a case of the certification', () => {
  it.each(Object.keys(cases))('%s passes', (id) => cases[id]?.())

  it('is in the reference, with what this server does', () => {
    const page = new URL('../../../../../docs/reference/openid-conformance.md', import.meta.url)
    const rows = [
      ...readFileSync(page, 'utf8').matchAll(/^\| `(oidcc-[\w-]+)` \| (passes|no) \|/gm),
    ]
    const passing = rows.filter(([, , outcome]) => outcome === 'passes').map(([, id = '']) => id)
    expect(passing.toSorted()).toEqual(Object.keys(cases).toSorted())
  })
})
