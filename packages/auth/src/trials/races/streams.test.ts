import { afterAll, describe, expect, it, vi } from 'vitest'
import { streamingApplication } from '../../streams/test-application.ts'
import { openStream, streamToken, type TestStream } from '../../streams/test-stream.ts'
import { reactivateUser, suspendUser } from '../../suspension/suspension.ts'
import type { TestKey } from '../../testing.ts'
import { clients, eachRound, startRace, times } from './race.ts'

const auth = await startRace({ definition: streamingApplication() })
const { streams } = auth.infrastructure
afterAll(() => auth.stop())

const tokensOf = (key: TestKey, number: number) =>
  Promise.all(times(number, () => streamToken(auth.url, auth.signerOf(key))))

const soon = (act: () => Promise<unknown>) =>
  new Promise<unknown>((resolve) => setTimeout(() => resolve(act()), Math.random() * 8))

/** What is open a moment after everybody was answered. */
async function leftOf(opened: readonly TestStream[]) {
  for (const { status } of opened) expect([200, 401]).toContain(status)
  await vi
    .waitFor(() => expect(opened.filter((stream) => stream.isOpen())).toEqual([]), 500)
    .catch(() => {})
  return opened.filter((stream) => stream.isOpen()).length
}

describe('streams that are opened while', () => {
  it.each<[string, (user: { userId: string; key: TestKey }, key: TestKey) => Promise<unknown>]>([
    ['their device signs out', (_, key) => auth.call('logout', undefined, key)],
    [
      'another device signs theirs out',
      ({ key }, { keyId }) => auth.call('revokeKey', { keyId }, key),
    ],
    ['all others are signed out', ({ key }) => auth.call('revokeAllKeys', {}, key)],
    ['their account is suspended', ({ userId }) => suspendUser(userId)],
  ])('%s do not outlive it', (_, revoke) =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const key = await auth.signIn(user)
      const tokens = await tokensOf(key, clients)
      const [, ...opened] = await Promise.all([
        soon(() => revoke(user, key)),
        ...tokens.map((token) => soon(() => openStream(auth.url, token)) as Promise<TestStream>),
      ])

      expect(await leftOf(opened)).toBe(0)
      expect(streams.size).toBe(0)
      await reactivateUser(user.userId).catch(() => {})
    }),
  )

  it('a device signs out leave those of the other open', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const key = await auth.signIn(user)
      const [leaving, staying] = [await tokensOf(key, clients / 2), await tokensOf(user.key, 4)]
      const [, ...opened] = await Promise.all([
        soon(() => auth.call('logout', undefined, key)),
        ...[...leaving, ...staying].map(
          (token) => soon(() => openStream(auth.url, token)) as Promise<TestStream>,
        ),
      ])

      expect(await leftOf(opened.slice(0, leaving.length))).toBe(0)
      expect(opened.slice(leaving.length).map((stream) => stream.isOpen())).toEqual(
        staying.map(() => true),
      )
      for (const stream of opened) stream.close()
      await vi.waitFor(() => expect(streams.size).toBe(0))
    }))
})
