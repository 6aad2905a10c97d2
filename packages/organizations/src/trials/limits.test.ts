import { startTestAuth } from '@svc/auth/testing'
import { afterAll, expect, it } from 'vitest'
import { askAs, newOrganization } from './people.ts'
import { definition } from './test-application.ts'

const auth = await startTestAuth({ definition, env: { SVC_RATE_LIMIT: 'on' } })
afterAll(() => auth.stop())

it('a limit by tenant counts an organization’s members together, and no stranger', async () => {
  const [ada, bob, stranger] = await Promise.all([1, 2, 3].map(() => auth.signedInUser()))
  if (!ada || !bob || !stranger) throw new Error('No users.')
  const members = { [ada.userId]: ['owner'], [bob.userId]: ['member'] }
  const [one, other] = [
    await newOrganization(auth, { members }),
    await newOrganization(auth, { members }),
  ]
  const read = async (user: typeof ada, { named }: typeof one) =>
    (await askAs(auth, user, 'readBoard', named)).status
  for (let at = 0; at < 5; at += 1) expect(await read(stranger, one)).toBe(404)
  const statuses = [await read(ada, one), await read(bob, one), await read(ada, one)]
  expect([...statuses, await read(bob, one)]).toEqual([200, 200, 200, 429])
  expect([await read(bob, other), await read(ada, other)]).toEqual([200, 200])
})

it('an address reads so many invitations a minute, whether there are any or not', async () => {
  const body = JSON.stringify({ token: 'x'.repeat(43) })
  const headers = { 'content-type': 'application/json' }
  const read = async () => {
    const url = `${auth.url}/_auth/organizations/invitations/lookup`
    return (await fetch(url, { method: 'POST', headers, body })).status
  }
  for (let at = 0; at < 30; at += 1) expect(await read()).toBe(404)
  expect(await read()).toBe(429)
})

it('an account has a domain looked up, and joins, only so many times a minute', async () => {
  const ada = await auth.signedInUser()
  const { named } = await newOrganization(auth, { members: { [ada.userId]: ['owner'] } })
  for (const name of ['verifyOrganizationDomain', 'joinOrganization']) {
    const ask = async () => (await askAs(auth, ada, name, named)).status
    for (let at = 0; at < 10; at += 1) expect(await ask(), name).toBe(200)
    expect(await ask(), name).toBe(429)
  }
})
