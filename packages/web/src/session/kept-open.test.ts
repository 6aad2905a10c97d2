import { createPortableKey } from '@svc/auth'
import { expect, it, vi } from 'vitest'
import { testSecret } from '../test-browser.ts'
import { Cookies, Sealer, WebSessions } from './session.ts'

const hour = 3_600_000

async function keeper() {
  const { registration: _, ...key } = await createPortableKey()
  const sealer = new Sealer(testSecret)
  const cookies = new Cookies({ isSecure: false })
  const sessions = new WebSessions({ sealer, cookies, ttlMillis: () => hour })
  const cookieOf = async (userId: string, lifeMillis = hour) =>
    `svc_session=${await sealer.seal('session', { userId, ...key }, Date.now() + lifeMillis)}`
  return { sessions, cookieOf }
}

it('a session is opened, and its key imported, once for each cookie', async () => {
  const { sessions, cookieOf } = await keeper()
  const [one, other] = [await cookieOf('a'), await cookieOf('b')]
  const imported = vi.spyOn(crypto.subtle, 'importKey')
  const opened = await sessions.open(one)
  expect(await sessions.open(one)).toBe(opened)
  expect(imported).toHaveBeenCalledTimes(1)
  expect((await sessions.open(other))?.session.userId).toBe('b')
  expect((await sessions.open(one))?.session.userId).toBe('a')
})

it('a session that is kept open ends when its cookie does', async () => {
  const { sessions, cookieOf } = await keeper()
  const cookie = await cookieOf('a', 1_000)
  expect(await sessions.open(cookie)).not.toBeNull()
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1_000)
  expect(await sessions.open(cookie)).toBeNull()
})

it('2,000 sessions are kept open: those that were used last', async () => {
  const { sessions, cookieOf } = await keeper()
  const cookies = await Promise.all(Array.from({ length: 2_001 }, (_, at) => cookieOf(`${at}`)))
  const [first = '', second = '', ...others] = cookies
  const opened = [await sessions.open(first), await sessions.open(second)]
  for (const cookie of others.slice(1)) await sessions.open(cookie)
  expect(await sessions.open(first)).toBe(opened[0])
  await sessions.open(others[0] ?? '')
  expect(await sessions.open(first)).toBe(opened[0])
  // It was the one that had been unused for longest.
  expect(await sessions.open(second)).not.toBe(opened[1])
})
