import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { withKeyring } from '../../mfa/testing/test-second-factor.ts'
import {
  encryptNaverId,
  signNaverFields,
  signNaverUnlink,
} from '../../providers/testing/test-naver.ts'
import { startTestAuth } from '../../testing.ts'
import { linksOf } from '../accounts/testing/test-links.ts'

const adminKey = 'admin-key-of-kakao'
const client = { clientId: 'naver-client', clientSecret: '527300A0COq1XV33cf' }
const auth = await startTestAuth({
  env: {
    ...withKeyring(),
    SVC_AUTH_KAKAO_CLIENT_ID: 'rest-key',
    SVC_AUTH_KAKAO_ADMIN_KEY: adminKey,
    SVC_AUTH_NAVER_CLIENT_ID: client.clientId,
    SVC_AUTH_NAVER_CLIENT_SECRET: client.clientSecret,
  },
})
afterAll(() => auth.stop())
const { put, linkOf } = linksOf(auth)
const kakao = { id: 'kakao' }
const naver = { id: 'naver' }

type Fields = Record<string, string>
const pathOf = ({ id }: { id: string }) => `/_auth/oauth/${id}/unlink-notify`

function post(provider: { id: string }, fields: Fields, headers: Fields = {}) {
  const body = new URLSearchParams(fields)
  return auth.fetch(pathOf(provider), { method: 'POST', body, headers })
}

async function said(asked: Promise<Response>) {
  const answer = await asked
  const { message, error } = await answer.json()
  return { status: answer.status, message, code: error.code }
}

const unauthorized = expect.objectContaining({ status: 401, code: 'UnauthorizedError' })

describe('Kakao', () => {
  const authorization = `KakaoAK ${adminKey}`
  const told = (userId: string) => ({
    app_id: '1',
    user_id: userId,
    referrer_type: 'UNLINK_FROM_APPS',
  })

  it('takes a link away with its admin key, by a form or a query (A-286, A-289)', async () => {
    const { userId } = await auth.createUser()
    await put(userId, kakao, '1234567890')
    const answer = await post(kakao, told('1234567890'), { authorization })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect(await linkOf(userId, kakao)).toBeNull()

    await put(userId, kakao, '1234567890')
    const query = new URLSearchParams(told('1234567890'))
    const headers = { authorization }
    expect((await auth.fetch(`${pathOf(kakao)}?${query}`, { headers })).status).toBe(200)
    expect(await linkOf(userId, kakao)).toBeNull()
  })

  it('takes none away without it (A-284, A-286)', async () => {
    const { userId } = await auth.createUser()
    await put(userId, kakao, '777')
    const wrong = [
      {},
      { authorization: adminKey },
      { authorization: `Bearer ${adminKey}` },
      { authorization: `KakaoAK ${adminKey.slice(0, -1)}` },
      { authorization: `KakaoAK ${adminKey}0` },
      { authorization: 'KakaoAK rest-key' },
    ]
    for (const headers of wrong) {
      expect(await said(post(kakao, told('777'), headers as Fields))).toEqual(unauthorized)
    }
    expect(await said(post(kakao, { ...told('777'), user_id: '' }, { authorization }))).toEqual(
      unauthorized,
    )
    expect(await linkOf(userId, kakao)).not.toBeNull()
  })
})

describe('Naver', () => {
  const now = () => auth.clock.now()

  it('takes a link away with its signature (A-287, A-289)', async () => {
    const { userId } = await auth.createUser()
    await put(userId, naver, 'naver-id')
    const answer = await post(naver, signNaverUnlink(client, 'naver-id', now()).form)
    expect([answer.status, await answer.text()]).toEqual([204, ''])
    expect(await linkOf(userId, naver)).toBeNull()

    // Naver's own example posts them so.
    await put(userId, naver, 'naver-id')
    const query = new URLSearchParams(signNaverUnlink(client, 'naver-id', now()).form)
    const posted = await auth.fetch(`${pathOf(naver)}?${query}`, { method: 'POST' })
    expect(posted.status).toBe(204)
    expect(await linkOf(userId, naver)).toBeNull()
  })

  it('takes none away that was linked after the notice was sent (A-284)', async () => {
    const { userId } = await auth.createUser()
    const { form } = signNaverUnlink(client, 'again', now())
    auth.clock.advance('1m')
    await put(userId, naver, 'again')
    expect((await post(naver, form)).status).toBe(204)
    expect(await linkOf(userId, naver)).not.toBeNull()
  })

  it('says the same of a wrong signature, an old one, and a wrong padding (A-284, A-287)', async () => {
    const { userId } = await auth.createUser()
    await put(userId, naver, 'held')
    const { form } = signNaverUnlink(client, 'held', now())
    const { clientId, clientSecret } = client
    const timestamp = String(Math.floor(now().getTime() / 1000))
    const padded = { clientId, encryptUniqueId: Buffer.alloc(32).toString('base64url'), timestamp }
    const old = new Date(now().getTime() - 11 * 60_000)
    const other = { clientId, clientSecret: 'another' }
    const refusals = await Promise.all(
      [
        { ...form, encryptUniqueId: encryptNaverId(clientSecret, 'held') },
        signNaverUnlink(other, 'held', now()).form,
        signNaverUnlink(client, 'held', old).form,
        signNaverFields(clientSecret, padded).form,
        {},
      ].map((fields) => said(post(naver, fields as Fields))),
    )
    for (const each of refusals) expect(each).toEqual(refusals[0])
    expect(refusals[0]).toEqual(unauthorized)
    expect(await linkOf(userId, naver)).not.toBeNull()
    const [account] = await auth.auth.db.select().from(users).where(eq(users.userId, userId))
    expect(account).toMatchObject({ status: 'active' })
  })
})
