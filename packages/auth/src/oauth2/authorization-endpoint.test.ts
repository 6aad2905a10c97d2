import { afterAll, describe, expect, it } from 'vitest'
import { attempts } from '../limits/schema.ts'
import { startTestAuth } from '../testing.ts'
import { issuer, pkce, testAgents } from './testing/test-agent.ts'
import { openidOptions, redirectUri, testRelyingParty } from './testing/test-openid.ts'

const auth = await startTestAuth({
  ...openidOptions,
  env: { ...openidOptions.env, SVC_RATE_LIMIT: 'on' },
})
const without = await startTestAuth()
afterAll(() => Promise.all([auth.stop(), without.stop()]))
const agents = testAgents(auth)
const agent = await agents.register()
const intranet = testRelyingParty(auth)
const path = '/_auth/oauth2/authorize'

const post = (body: BodyInit, headers: Record<string, string> = {}, at = auth.url) =>
  fetch(`${at}${path}`, { method: 'POST', body, headers, redirect: 'manual' })
const form = (fields: object) => new URLSearchParams(fields as Record<string, string>)

/** Where a browser gets that follows the endpoint's own redirect. */
async function arrive(fields: object) {
  const answer = await post(form(fields))
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([303, 'no-store'])
  const next = new URL(answer.headers.get('location') ?? '', auth.url)
  expect([next.origin, next.pathname]).toEqual([auth.url, path])
  const { headers } = await fetch(next, { redirect: 'manual', headers: { accept: 'text/html' } })
  return new URL(headers.get('location') ?? '')
}

describe('POST at the authorization endpoint', () => {
  it('does for a form what GET does, for agents (OAuth 2.1, section 3.1)', async () => {
    const asked = agents.asked(agent, pkce().challenge, { scope: 'board', state: 'ü & =' })
    const to = await arrive(asked)
    expect(`${to.origin}${to.pathname}`).toBe(`${issuer}/oauth2/consent`)
    expect(Object.fromEntries(to.searchParams)).toEqual(asked)
  })

  it('does for a form what GET does, for applications (Core, section 3.1.2.1)', async () => {
    const to = await arrive(intranet.asked({ extra: 'more' }))
    const fields = Object.fromEntries(to.searchParams)
    expect(fields).toEqual({ ...intranet.asked(), asked_at: fields.asked_at })
    const user = await auth.signedInUser()
    const { body } = await intranet.decide(user, fields)
    const code = new URL(body.redirectTo).searchParams.get('code') ?? ''
    expect((await intranet.redeem(code)).status).toBe(200)
    const refused = await arrive(intranet.asked({ response_type: 'token' }))
    expect([`${refused.origin}${refused.pathname}`, refused.searchParams.get('error')]).toEqual([
      redirectUri,
      'unsupported_response_type',
    ])
    const unsupported = await arrive(intranet.asked({ request: 'x' }))
    expect(unsupported.searchParams.get('error')).toBe('request_not_supported')
  })

  it('decides nothing by a form, also if it has a decision and a user is signed in', async () => {
    const user = await auth.signedInUser()
    const fields = await intranet.passedOn()
    const to = await arrive({ ...fields, decision: 'allow', owner: 'x' })
    expect([to.pathname, to.searchParams.get('decision')]).toEqual(['/oauth2/consent', null])
    const body = form({ ...fields, decision: 'allow' })
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const url = `${auth.url}${path}`
    const signed = await auth.signerOf(user.key)({ method: 'POST', url, body: body.toString() })
    const answer = await post(body, { ...type, ...signed })
    expect([answer.status, (await answer.json()).error.code]).toEqual([
      415,
      'UnsupportedMediaTypeError',
    ])
  })

  it('takes the decision as before, which a device signs', async () => {
    const decision = JSON.stringify({ ...(await intranet.passedOn()), decision: 'allow' })
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', '']) {
      expect((await post(decision, { 'content-type': type })).status, type).toBe(401)
    }
    const user = await auth.signedInUser()
    expect((await intranet.decide(user, await intranet.passedOn())).status).toBe(200)
  })

  it('reads the form, and nothing that is in the address beside it', async () => {
    const answer = await fetch(`${auth.url}${path}?client_id=evil`, {
      method: 'POST',
      body: form({ state: 'x' }),
      redirect: 'manual',
    })
    expect(answer.headers.get('location')).toBe(`${path}?state=x`)
    const twice = await post(new URLSearchParams('client_id=a&client_id=b'))
    expect(twice.headers.get('location')).toBe(`${path}?client_id=a&client_id=b`)
    const odd = await post('a=%&b=%FF&__proto__=c&\r\nlocation: x', {
      'content-type': 'application/x-www-form-urlencoded;charset=utf-8',
    })
    expect([odd.status, odd.headers.get('location')]).toEqual([
      303,
      `${path}?a=%25&b=%EF%BF%BD&__proto__=c&%0D%0Alocation%3A+x=`,
    ])
  })

  it('takes a form that fits into an address', async () => {
    const answer = await post(form({ state: 'x'.repeat(8187) }))
    expect([answer.status, (await answer.json()).error.code]).toEqual([413, 'PayloadTooLargeError'])
    expect((await post(form({ state: 'x'.repeat(8186) }))).status).toBe(303)
  })

  it('is not there without an authorization server', async () => {
    expect((await post(form({}), {}, without.url)).status).toBe(404)
  })

  it('takes 600 forms a minute from an address', async () => {
    await auth.auth.db.delete(attempts)
    const answers = await Promise.all(
      Array.from({ length: 601 }, async () => (await post(form({}))).status),
    )
    expect([303, 429].map((status) => answers.filter((each) => each === status).length)).toEqual([
      600, 1,
    ])
  })
})
