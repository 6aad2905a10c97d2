import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { users } from '../accounts/schema.ts'
import { refused } from '../test-answers.ts'
import { createTestKey, startTestAuth, type TestAnswer } from '../testing.ts'
import { type BoundUser, bindingOf } from './testing/binding.ts'

const auth = await startTestAuth()
afterAll(auth.stop)

const { clock } = auth
const { boundUser, expiredUser, askToRenew, askToUnbind, unbind, sign, renew } = bindingOf(auth)

const over = refused(401, 'SessionRenewalRefusedError')

const stateOf = async ({ userId, key }: BoundUser) =>
  (await auth.keysOf(userId)).find(({ keyId }) => keyId === key.keyId)?.state

async function setUser({ userId }: BoundUser, values: Partial<typeof users.$inferInsert>) {
  await auth.auth.db.update(users).set(values).where(eq(users.userId, userId))
}

/** Of an answer, what must be the same in every refusal. */
function said({ status, body, headers }: TestAnswer) {
  const { requestId: _, ...error } = body.error
  return { status, ...body, error, challenge: headers.get('www-authenticate') }
}

describe('a renewal is refused in one way', () => {
  it('for every fault: no options tell of a key (A-257)', async () => {
    const [user, stranger] = [await expiredUser(), await expiredUser()]
    const { key } = user
    const [unknown, free] = [await createTestKey(), (await auth.signedInUser()).key]
    const signs = async () => ({ response: await user.response() })
    const { response } = await signs()
    const answers = [
      await askToRenew(key),
      await askToRenew(key, stranger.key),
      await askToRenew(unknown, unknown),
      await askToRenew(key, { ...unknown, keyId: key.keyId }),
      await askToRenew(free, free),
      await renew(key, { ...(await signs()), signer: stranger.key }),
      await renew(unknown, await signs()),
      await renew(free, await signs()),
      await renew(stranger.key, await signs()),
      await renew(key, { response: await stranger.response() }),
      await renew(key, { response: { ...(await user.response()), rawId: 'AA' } }),
      await renew(key, {
        response: user.authenticator.sign((await askToRenew(key, key)).body, { counter: 1 }),
      }),
      await renew(key, {
        response: user.authenticator.sign((await auth.call('passkeyLoginOptions', {})).body),
      }),
    ]
    const unsigned = { expiredKeyId: key.keyId, response, ...(await createTestKey()).registration }
    answers.push(await auth.call('sessionRenewVerify', unsigned))
    for (const answer of answers) expect(said(answer)).toEqual(said(answers[0] as TestAnswer))
    expect(answers[0]).toMatchObject(over)
    expect((await renew(key, { response })).status).toBe(200)
  })

  it('to another user’s passkey', async () => {
    const [user, stranger] = [await expiredUser(), await expiredUser()]
    const options = (await askToRenew(user.key, user.key)).body
    const response = stranger.authenticator.sign({ ...options, allowCredentials: [] })
    expect(await renew(user.key, { response })).toMatchObject(over)
  })

  it('to a clone of the passkey', async () => {
    const { key, authenticator } = await expiredUser()
    const clone = authenticator.clone()
    const next = await createTestKey()
    expect((await renew(key, { next, response: await sign(key, authenticator) })).status).toBe(200)
    expect(await renew(next, { response: await sign(next, clone) })).toMatchObject(over)
  })

  it('to a request that was signed for another, sent twice, or too old', async () => {
    const { key } = await expiredUser()
    const path = '/_auth/session/renew/options'
    const url = `${auth.url}${path}`
    const body = JSON.stringify({ expiredKeyId: key.keyId })
    const signed = await auth.signerOf(key)({ method: 'POST', url, body })
    const send = async (headers: object, text = body) => {
      const type = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers: { ...type, ...headers }, body: text }
      const answer = await auth.fetch(path, init)
      return { status: answer.status, body: await answer.json() }
    }
    expect(await send(signed, `${body} `)).toMatchObject(over)
    expect(await send(signed)).toMatchObject({ status: 200 })
    expect(await send(signed)).toMatchObject(over)
    const old = await auth.signerOf(key)({ method: 'POST', url, body })
    clock.advance('2m')
    expect(await send(old)).toMatchObject(over)
  })

  it('after the binding ended, or the account was signed out everywhere', async () => {
    const { key, authenticator } = await boundUser()
    const response = await sign(key, authenticator)
    await unbind(key, authenticator.sign(await askToUnbind(key)))
    expect(await renew(key, { response })).toMatchObject(over)
    await auth.call('revokeAllKeys', { includeCurrent: true }, key)
    expect(await askToRenew(key, key)).toMatchObject(over)
  })

  it('after a revocation that came once the key was looked at', async () => {
    const user = await expiredUser()
    const response = await user.response()
    const read = auth.auth.callers
    vi.spyOn(auth.auth, 'callers').mockImplementationOnce(async (keyId) => {
      const row = await read(keyId)
      await setUser(user, { generation: (row?.generation ?? 0) + 1 })
      return row
    })
    expect(await renew(user.key, { response })).toMatchObject(over)
    expect(await stateOf(user)).toBe('active')
  })
})

describe('a renewal of an account that may not sign in', () => {
  it.each([
    ['suspended', 'AccountDisabledError'],
    ['pending_deletion', 'AccountPendingDeletionError'],
  ] as const)('that is %s says so to who has key and passkey alone', async (status, code) => {
    const [user, stranger] = [await expiredUser(), await expiredUser()]
    await setUser(user, { status })
    const options = (await askToRenew(user.key, user.key)).body
    const wrong = stranger.authenticator.sign({ ...options, allowCredentials: [] })
    expect(await renew(user.key, { response: wrong })).toMatchObject(over)
    expect(await renew(user.key, { response: await user.response() })).toMatchObject(
      refused(403, code),
    )
    expect(await stateOf(user)).toBe('active')
  })
})
