import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { limitOf } from '../../limits/testing/limits.ts'
import { createTestKey, startTestAuth, testPassword } from '../../testing.ts'

const auth = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on', SVC_TRUSTED_PROXY_HOPS: '1' } })
afterAll(() => auth.stop())
// The windows of the test before are over.
afterEach(() => auth.clock.advance('2m'))

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const stranger = '203.0.113.9'
const owner = '198.51.100.1'

const requests = [
  ['requestPasswordReset', 'reset request'],
  ['requestSignupLink', 'signup request'],
] as const

describe.each(requests)('%s', (name, limit) => {
  const ask = async (email: string, address: string) =>
    (await auth.call(name, { email }, undefined, from(address))).status

  it('is answered to an owner when a stranger has used their own requests up (decisions 16)', async () => {
    const { email } = await auth.createUser()
    const asked = []
    for (let tries = 0; tries < 6; tries++) asked.push(await ask(email, stranger))
    expect(asked).toEqual([200, 200, 200, 200, 200, 429])
    // Spelled otherwise, it is the same address to mail to.
    expect(await ask(email.toUpperCase(), stranger)).toBe(429)
    expect(await ask(email, owner)).toBe(200)
  })

  it('fills no mailbox, from however many addresses it is asked', async () => {
    const { email } = await auth.createUser()
    const all = limitOf(`${limit} by target`)
    const statuses = []
    for (let number = 0; number < all + 5; number++) {
      statuses.push(await ask(email, `203.0.113.${number}`))
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(all)
  })

  it('counts the addresses of one IPv6 network as one', async () => {
    const { email } = await auth.createUser()
    const statuses = []
    for (let host = 1; host <= 6; host++) statuses.push(await ask(email, `2001:db8:9::${host}`))
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('register', () => {
  it('opens an account after any tries of a stranger for its address (decisions 16)', async () => {
    const email = 'grace@example.com'
    const verificationToken = await auth.verificationToken(email, 'registration')
    const { registration } = await createTestKey()
    const form = { email, password: testPassword, ...registration }
    const register = async (token: string, address: string) => {
      const body = { ...form, verificationToken: token }
      return (await auth.call('register', body, undefined, from(address))).status
    }
    for (let tries = 0; tries < 20; tries++) expect(await register('none', stranger)).toBe(400)
    expect(await register(verificationToken, owner)).toBe(200)
  })
})
