import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { defineRouter, route } from '@svc/core'
import { redisProgram, startTestRedis } from '@svc/core/testing'
import { calculateJwkThumbprint } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forgetSpent } from '../../once/once.ts'
import { createTestKey, startTestAuth } from '../../testing.ts'
import {
  clients,
  eachRound,
  type Race,
  startRace,
  times,
  withStatus,
} from '../../trials/races/race.ts'
import { dpopProof } from '../client.ts'
import { agentServiceOf } from '../verify-access-token.ts'
import { readDpopProof } from './dpop.ts'
import { ath, forged, genuine, issuer, type Sent, token } from './testing/test-forgeries.ts'
import { api, ec, type Forgery, jwkOf, proofAt, rs256, rsa } from './testing/test-proof.ts'

const router = defineRouter({
  notes: route
    .post('/notes')
    .skip(['auth'])
    .handler(({ raw }) => {
      const sent = raw.req.header('authorization')?.replace('DPoP ', '')
      return readDpopProof(
        agentServiceOf(raw.server),
        raw,
        sent === undefined ? {} : { token: sent },
      )
    }),
})

let race: Race
beforeAll(async () => {
  race = await startRace({
    router,
    env: { SVC_API_URL: api, SVC_AUTH_OAUTH2_ISSUER: issuer },
    options: { authorizationServer: { scopes: { 'notes:write': 'Write notes' } } },
  })
})
afterAll(() => race.stop())

const proof = (forgery?: Forgery) => proofAt(race.clock.now(), forgery)
const inSeconds = (seconds: number) => Math.floor(race.clock.now().getTime() / 1000) + seconds

async function send(
  dpop: string,
  { token: sent, path = '/notes', at = race.url }: Sent & { at?: string } = {},
) {
  const headers = { dpop, ...(sent !== undefined && { authorization: `DPoP ${sent}` }) }
  const answer = await fetch(`${at}${path}`, { method: 'POST', headers })
  return { status: answer.status, body: await answer.json() }
}

/** What every refusal is, to the byte. */
const refused = { status: 400, body: { error: 'invalid_dpop_proof' } }

describe('a proof', () => {
  it('names its key by the thumbprint, and as devices are known', async () => {
    const jwk = jwkOf(ec.publicKey)
    const der = ec.publicKey.export({ format: 'der', type: 'spki' })

    expect(await send(proof())).toEqual({
      status: 200,
      body: {
        thumbprint: await calculateJwkThumbprint(jwk),
        fingerprint: createHash('sha256').update(der).digest('hex'),
      },
    })
  })

  it('need not be there', async () => {
    const answer = await race.fetch('/notes', { method: 'POST' })

    expect([answer.status, await answer.json()]).toEqual([200, null])
  })

  it('may name the address that the server listens on', async () => {
    const htu = `${race.url}/notes`

    expect(await send(proof({ claims: { htu } }))).toMatchObject({ status: 200 })
  })

  it.each(genuine)('may have %s', async (_, forge, sent) => {
    expect(await send(proof(forge(inSeconds)), sent)).toMatchObject({ status: 200 })
  })

  it.each(forged)('is refused with %s', async (_, forge, sent) => {
    expect(await send(proof(forge(inSeconds)), sent)).toEqual(refused)
  })

  it('is refused with stray bits, padding, or anything around it', async () => {
    const good = proof()
    const stray = `${good.slice(0, -1)}${String.fromCharCode(good.charCodeAt(good.length - 1) + 1)}`
    const bytes = (jws: string) => Buffer.from(jws.split('.')[2] ?? '', 'base64url')

    expect(bytes(stray)).toEqual(bytes(good))
    for (const bad of [
      stray,
      `${good}==`,
      `${good}.`,
      `DPoP ${good}`,
      `${good}, ${good}`,
      '',
      'a',
    ]) {
      expect(await send(bad)).toEqual(refused)
    }
    expect(await send(good)).toMatchObject({ status: 200 })
  })

  it('is refused where there are two, be it the same one', async () => {
    const [one, other] = [proof(), proof()]

    expect(await sendTwo([one, other])).toEqual(refused)
    expect(await sendTwo([one, one])).toEqual(refused)
    expect(await sendTwo([one, ''])).toEqual(refused)
    expect(await send(one)).toMatchObject({ status: 200 })
  })
})

/** `fetch` would make one header of them. */
async function sendTwo(dpop: string[]) {
  const asked = request(`${race.url}/notes`, { method: 'POST', headers: { dpop } }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, body: JSON.parse(await text(answer)) }
}

describe('a proof that was used', () => {
  it('is refused at once and on another instance', async () => {
    const used = proof()
    const [, other] = race.instances

    expect(await send(used)).toMatchObject({ status: 200 })
    expect(await send(used)).toEqual(refused)
    expect(await send(used, { at: other.url })).toEqual(refused)
  })

  it('is known by its id, with any other content', async () => {
    const jti = 'an-id-of-this-test'

    expect(await send(proof({ claims: { jti } }))).toMatchObject({ status: 200 })
    expect(await send(proof({ claims: { jti, iat: inSeconds(-5) } }))).toEqual(refused)
    const another = { header: { alg: 'RS256', jwk: jwkOf(rsa.publicKey) }, signature: rs256 }
    expect(await send(proof({ ...another, claims: { jti } }))).toMatchObject({ status: 200 })
  })

  it('is not used up by a request that it is not for', async () => {
    const good = proof({ claims: { ath } })

    expect(await send(good, { token: `${token}2` })).toEqual(refused)
    expect(await send(good, { token })).toMatchObject({ status: 200 })
  })

  it('is remembered for as long as it could be taken', async () => {
    const { clock, auth } = race
    clock.set(new Date(inSeconds(0) * 1000))
    const [used, unused] = [proof(), proof()]
    expect(await send(used)).toMatchObject({ status: 200 })
    clock.advance('300s')
    await forgetSpent(auth.db, clock.now())

    expect(await send(used)).toEqual(refused)
    expect(await send(unused)).toMatchObject({ status: 200 })
    const late = proofAt(new Date(clock.now().getTime() - 300_000))
    clock.advance(1)
    expect(await send(late)).toEqual(refused)
    clock.set(new Date())
  })

  it('passes once when sixteen send it to both instances', () =>
    eachRound(async () => {
      const headers = { dpop: proof() }
      const answers = await race.race(
        times(clients, () => ({ url }) => ({ method: 'POST', url: `${url}/notes`, headers })),
      )

      expect(withStatus(answers, 200)).toHaveLength(1)
      const others = withStatus(answers, 400).map(({ body }) => body)
      expect(others).toEqual(times(clients - 1, () => refused.body))
    }))
})

const missing = redisProgram ? '' : ' (no redis-server on PATH)'

it.skipIf(missing)(`counts once by the cache, and not at all without it${missing}`, async () => {
  const redis = await startTestRedis()
  const auth = await startTestAuth({ router, env: { SVC_API_URL: api, CACHE_URL: redis.url } })
  const [used, unused] = [proofAt(auth.clock.now()), proofAt(auth.clock.now())]

  expect(await send(used, { at: auth.url })).toMatchObject({ status: 200 })
  expect(await send(used, { at: auth.url })).toEqual(refused)
  await redis.kill()
  expect(await send(unused, { at: auth.url })).toMatchObject({ status: 503 })
  await auth.stop()
  await redis.stop()
})

describe('clients', () => {
  it.each(['ES256', 'RS256'] as const)(
    'dpopProof signs as the device, with %s',
    async (algorithm) => {
      const key = await createTestKey(algorithm)
      const nowMillis = race.clock.now().getTime()
      const given = { method: 'POST', url: `${api}/notes?a=1#b`, nowMillis }
      const { fingerprint } = key.registration

      expect(await send(await dpopProof(key, given))).toMatchObject({
        status: 200,
        body: { fingerprint },
      })
      const bound = await dpopProof(key, { ...given, token })
      expect(await send(bound, { token })).toMatchObject({ status: 200, body: { fingerprint } })
    },
  )

  it.each(['ES256', 'RS256'])('oauth4webapi, with %s', async (algorithm) => {
    race.clock.set(new Date())
    const keyPair = await oauth.generateKeyPair(algorithm)
    const dpop = oauth.DPoP({}, keyPair)
    const options: oauth.ProtectedResourceRequestOptions = {
      DPoP: dpop,
      [oauth.customFetch]: (asked, { method, headers }) =>
        fetch(asked.replace(api, race.url), { method, headers }),
    }
    const url = new URL(`${api}/notes?a=1`)
    const answer = await oauth.protectedResourceRequest(
      token,
      'POST',
      url,
      undefined,
      null,
      options,
    )

    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ thumbprint: await dpop.calculateThumbprint() })
  })
})
