import { directRequest } from '@svc/core/client'
import type { TestServer } from '@svc/core/testing'
import { and, eq, ne } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { waitingDevices } from '../../device/testing/test-waiting.ts'
import { oauth2Grants } from '../../oauth2/grants/grants.ts'
import { verifyAccessToken } from '../../oauth2/oauth2.ts'
import { agentOptions, pkce, redirectUri, testAgents } from '../../oauth2/testing/test-agent.ts'
import { routeMap } from '../../route-map.generated.ts'
import { createTestKey, type TestAnswer, type TestKey } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const { operation, race, raceBehind, ...auth } = await startRace(agentOptions)
afterAll(() => auth.stop())
auth.instances[1].clock.set(auth.clock.now())
const { db } = auth.auth
const { start, approve, approvedBy, poll } = waitingDevices(auth)
const agents = testAgents(auth)
const agent = await agents.register()

type Device = Awaited<ReturnType<typeof start>>

const revoking = (keyId: string, by: TestKey) => operation('revokeKey', { keyId }, by)
const approving = ({ userCode }: Device, by: TestKey) =>
  operation('approveDeviceAuth', { userCode }, by)
const polling = ({ deviceCode }: Device) => operation('pollDeviceAuth', { deviceCode })
const adding = (machine: TestKey, by: TestKey) =>
  operation('createMachineKey', { ...machine.registration, permissions: [] }, by)
const sending =
  (form: Record<string, string>) =>
  ({ url }: TestServer) =>
    directRequest(url, {
      ...routeMap.oauth2Token,
      input: { form: { client_id: agent.clientId, ...form } },
    })

/** A stolen phone, a device that it has let in, and what either has under way. */
async function theft() {
  const user = await auth.signedInUser()
  const phone = await auth.signIn(user)
  const tv = await approvedBy({ key: phone })
  expect((await poll(tv)).status).toBe(200)
  const devices = await Promise.all(times(6, () => start()))
  // Two are approved beforehand: one by either.
  for (const [index, by] of [phone, tv.key].entries()) {
    expect((await approve(devices[index] as Device, { key: by })).status).toBe(200)
  }
  const machines = [await createTestKey(), await createTestKey()] as const
  const owner = { ...user, key: phone }
  const [tokens, code] = [await agents.tokens(owner, agent), await agents.allow(owner, agent)]
  const consents = times(2, () => pkce())
  const mints = [
    approving(devices[2] as Device, phone),
    approving(devices[3] as Device, phone),
    approving(devices[4] as Device, tv.key),
    adding(machines[0], phone),
    adding(machines[1], tv.key),
    ...consents.map(({ challenge }) =>
      operation(
        'createOAuth2AuthorizationCode',
        { ...agents.asked(agent, challenge), decision: 'allow' },
        phone,
      ),
    ),
    sending({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token }),
    sending({
      grant_type: 'authorization_code',
      code: code.code,
      code_verifier: code.verifier,
      redirect_uri: redirectUri,
    }),
    ...devices.map(polling),
  ]
  const keys = [phone, tv.key, ...machines, ...devices.map(({ key }) => key)]
  return { user, phone, devices, tokens, consents, mints, keys }
}

type Theft = Awaited<ReturnType<typeof theft>>

/** No agent can do anything any more: not by what it had, nor by what it got while it was taken away. */
async function expectNoAgent({ user, tokens, consents }: Theft, answers: readonly TestAnswer[]) {
  const codes = withStatus(answers, 200).flatMap(({ body }) => body.redirectTo ?? [])
  for (const redirectTo of codes) {
    const code = new URL(redirectTo).searchParams.get('code') ?? ''
    for (const { verifier } of consents) {
      expect((await agents.redeem(agent, { code, verifier })).status).toBe(400)
    }
  }
  const given = withStatus(answers, 200).flatMap(({ body }) => (body.access_token ? [body] : []))
  for (const { access_token, refresh_token } of [tokens, ...given]) {
    expect(await verifyAccessToken(access_token, '/mcp')).toBeNull()
    expect((await agents.refresh(agent, refresh_token)).status).toBe(400)
  }
  const alive = and(eq(oauth2Grants.userId, user.userId), ne(oauth2Grants.state, 'revoked'))
  expect(await db.$count(oauth2Grants, alive)).toBe(0)
}

/** Tables and answers have the owner's key alone, and those that were told to be still collectable. */
async function expectAlive({ user, keys, devices }: Theft, approvals: { id: string }[]) {
  for (const device of devices) await poll(device)
  const ids = [user.key.keyId, ...approvals.map(({ id }) => id)].toSorted()
  expect(await auth.liveKeys(user.userId, [user.key, ...keys])).toEqual({
    active: ids,
    answering: ids,
  })
}

describe('revokeKey of another device', () => {
  it('R39: leaves nothing of what that lets in meanwhile but approvals that no device had collected, and names them (A-107, A-113)', () =>
    eachRound(async (round) => {
      const stolen = await theft()
      const { user, phone, mints } = stolen
      expect(mints).toHaveLength(clients - 1)
      const revoke = revoking(phone.keyId, user.key)
      // With the revocation before all others, with one of them before it, and in any order.
      const [first = revoke, ...rest] = [...mints.slice(round % mints.length), ...mints].slice(
        0,
        mints.length,
      )
      const answers = await (round % 3 === 0
        ? raceBehind([user.userId], [revoke, ...mints])
        : round % 3 === 1
          ? raceBehind([user.userId], [first, revoke, ...rest])
          : race([revoke, ...mints]))
      const revoked = answers[round % 3 === 1 ? 1 : 0]

      expect(revoked).toMatchObject({ status: 200, body: { selfRevoked: false } })
      await expectNoAgent(stolen, answers)
      await expectAlive(stolen, revoked?.body.approvals ?? [])
      // What was collected behind it ends with the phone, which can be revoked once more.
      const again = await auth.call('revokeKey', { keyId: phone.keyId }, user.key)
      expect(again.body.approvals).toBeUndefined()
      await expectAlive(stolen, [])
    }))

  it('ends what a key has let in that is rotated meanwhile, with its successor (R39)', () =>
    eachRound(async () => {
      const stolen = await theft()
      const { user, phone, keys } = stolen
      const next = await createTestKey()
      const [revoked, rotated] = await race([
        revoking(phone.keyId, user.key),
        operation('rotateKey', next.registration, phone),
      ])
      expect(revoked?.status).toBe(200)
      expect([200, 401]).toContain(rotated?.status)
      expect(revoked?.body.ended.length).toBeGreaterThan(2)
      await expectAlive({ ...stolen, keys: [...keys, next] }, approvalsLeft(stolen))
    }))
})

describe('a device that another one has let in', () => {
  it.each(['logout', 'revokeKey'] as const)(
    'hears that it has ended itself by %s, or is among what ended with that one, and not both (R39)',
    (name) =>
      eachRound(async () => {
        const user = await auth.signedInUser()
        const phone = await auth.signIn(user)
        const tv = await approvedBy({ key: phone })
        expect((await poll(tv)).status).toBe(200)
        const body = name === 'logout' ? undefined : { keyId: tv.key.keyId }
        const [revoked, ...left] = await race([
          revoking(phone.keyId, user.key),
          ...times(clients - 1, () => operation(name, body, tv.key)),
        ])

        const hasLeft = left.some(({ status }) => status < 300)
        expect(revoked?.body.ended ?? []).toHaveLength(hasLeft ? 0 : 1)
        const ids = [user.key.keyId]
        const keys = [user.key, phone, tv.key]
        expect(await auth.liveKeys(user.userId, keys)).toEqual({ active: ids, answering: ids })
      }),
  )
})

/** Approved beforehand by the phone and by what it had let in. */
function approvalsLeft({ devices }: Theft) {
  return devices.slice(0, 2).map(({ key }) => ({ id: key.keyId }))
}
