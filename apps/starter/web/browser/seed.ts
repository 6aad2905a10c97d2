import { setTimeout as wait } from 'node:timers/promises'
import { createTestKey } from '@svc/auth/testing'
import type { SigningKey } from '@svc/core/client'
import { notices } from '../../api/schema.ts'
import type { TestWebApp } from './test-web-app.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** So long ago and half a minute, so that a page says the same however long it takes to come. */
const ago = (millis: number) => new Date(Date.now() - millis - minute / 2)

const posted = [
  { ago: 4 * minute, author: 'ada', text: 'Cake in the kitchen. First come, first served.' },
  { ago: 50 * minute, author: 'grace', text: 'The staging database moves tonight at 22:00.' },
  {
    ago: 3 * hour,
    author: 'linus',
    text: 'Found: one grey scarf, third floor.\nIt waits at the reception.',
  },
  { ago: 26 * hour, author: 'ada', text: 'Release 0.1 is out. Thank you, everybody!' },
  { ago: 3 * day, author: 'grace', text: 'Reading group on Thursday: “Out of the Tar Pit”.' },
]

const invitations = [
  { ago: 9 * day, email: 'linus@example.com', role: 'user' },
  { ago: 2 * day, email: 'grace@example.com', role: 'admin' },
  { ago: 5 * hour, email: 'margaret@example.com', role: 'user' },
]

const devices = [
  { ago: 12 * day, usedAgo: 2 * hour, deviceName: 'Ada’s iPhone', platform: 'ios', invitations },
  {
    ago: 40 * day,
    usedAgo: 9 * day,
    deviceName: 'Firefox on Windows',
    platform: 'web',
    invitations: [],
  },
] as const

/** A board with notices, and its first superadmin, who is signed in on a few devices and has invited people. */
export async function seed({ api, clock }: Pick<TestWebApp, 'api' | 'clock'>) {
  const ada = await clock.at(ago(90 * day), () =>
    api.createUser({ role: 'superadmin', email: 'ada@example.com' }),
  )
  await api.auth.db.insert(notices).values(posted.map(noticeOf))
  for (const device of devices) await useDevice(device)
  // When a device was used last is written a little later, for many at once.
  while ((await api.keysOf(ada.userId)).some((key) => key.lastUsedAt === null)) await wait(100)
  return ada

  async function useDevice(device: (typeof devices)[number]) {
    const { registration, ...key } = await createTestKey()
    const { deviceName, platform } = device
    const { email, password } = ada
    const login = { email, password, ...registration, deviceName, platform }
    await clock.at(ago(device.ago), () => api.call('login', login))
    for (const { ago: millis, ...invitation } of device.invitations) {
      await clock.at(ago(millis), () => invite(invitation, key))
    }
    await clock.at(ago(device.usedAgo), () => api.call('getAuthSession', undefined, key))
  }

  async function invite(invitation: { email: string; role: string }, key: SigningKey) {
    // The sign-in on the device is too long ago.
    await api.call('proveRecent', { password: ada.password }, key)
    const { status } = await api.call('createInvitation', invitation, key)
    if (status !== 201) throw new Error(`The invitation was refused with ${status}.`)
  }
}

function noticeOf({ ago: millis, ...notice }: (typeof posted)[number]) {
  return { ...notice, id: crypto.randomUUID(), createdAt: ago(millis) }
}
