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
