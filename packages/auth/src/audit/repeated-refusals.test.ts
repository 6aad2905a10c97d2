import { afterAll, describe, expect, it } from 'vitest'
import { createTestKey, startTestAuth } from '../testing.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

const root = await auth.signedInUser({ role: 'superadmin' })
const list = (query: Record<string, unknown>) =>
  auth.call('listAuditEvents', undefined, root.key, { query })
const wrong = 'not the password at all'
const changed = 'another horse battery staple'

describe('of what is refused to a stranger, the trail has', () => {
  const linesOf = async (target: string | null) => {
    const { body } = await list({ act: 'login', limit: 100 })
    const all = body.data as { outcome: string; target?: string; times: number }[]
    return all.filter((line) => line.outcome === 'refused' && line.target === (target ?? undefined))
  }
  const refuse = async (email: string, address?: string) => {
    const { registration } = await createTestKey()
    const headers = address ? { 'x-forwarded-for': address } : {}
    const given = { email, password: wrong, ...registration }
    const answer = await auth.call('login', given, undefined, { headers })
    expect(answer.status).toBe(401)
    return answer
  }

  it('one line an hour for an account and an address, with how often and when last (decisions 16)', async () => {
    auth.clock.advance('1h')
    const { userId, email } = await auth.createUser()
    const at = auth.clock.now().toISOString()
    const requestId = (await refuse(email)).headers.get('x-request-id')
    expect(await linesOf(userId)).toMatchObject([{ at, requestId, times: 1 }])
    expect((await linesOf(userId))[0]).not.toHaveProperty('lastAt')
    auth.clock.advance('1s')
    await refuse(email)
    auth.clock.advance('1s')
    await refuse(email)
    const lastAt = auth.clock.now().toISOString()
    expect(await linesOf(userId)).toMatchObject([{ at, requestId, times: 3, lastAt }])
    auth.clock.advance('1h')
    await refuse(email)
    expect(await linesOf(userId)).toMatchObject([{ times: 1 }, { times: 3 }])
  })

  it('one line for each account', async () => {
    const two = [await auth.createUser(), await auth.createUser()]
    for (const { email } of two) await refuse(email)
    for (const { userId } of two) expect(await linesOf(userId)).toMatchObject([{ times: 1 }])
  })

  it('a number for each of sixteen at once', async () => {
    const { userId, email } = await auth.createUser()
    await Promise.all(Array.from({ length: 16 }, () => refuse(email)))
    const lines = await linesOf(userId)
    expect(lines.reduce((sum, { times }) => sum + times, 0)).toBe(16)
    expect(lines).toHaveLength(1)
  })

  it('a line for each refusal that a device has signed: each has its proof', async () => {
    const user = await auth.signedInUser()
    const change = { currentPassword: wrong, newPassword: changed }
    for (let tries = 0; tries < 2; tries++) await auth.call('changePassword', change, user.key)
    const query = { act: 'password.changed', actor: user.userId }
    const refused = { outcome: 'refused', times: 1, hasProof: true }
    expect((await list(query)).body.data).toMatchObject([refused, refused])
  })
})
