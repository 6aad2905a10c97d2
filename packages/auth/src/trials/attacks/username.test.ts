import { afterAll, expect, it } from 'vitest'
import { startTestAuth } from '../../testing.ts'

const auth = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
afterAll(() => auth.stop())

it('taking usernames one after the other tells no more of them than asking does', async () => {
  const owner = await auth.signedInUser()
  const other = await auth.signedInUser()
  await auth.call('updateUsername', { username: 'somebody' }, owner.key)
  const statuses: number[] = []
  for (let tries = 0; tries < 40; tries++) {
    const answer = await auth.call('updateUsername', { username: 'somebody' }, other.key)
    statuses.push(answer.status)
  }
  expect(statuses.filter((status) => status === 409)).toHaveLength(29)
  expect(statuses.at(-1)).toBe(429)
  const query = { username: 'another.one' }
  expect(await auth.call('checkUsername', undefined, undefined, { query })).toMatchObject({
    status: 429,
  })
})
