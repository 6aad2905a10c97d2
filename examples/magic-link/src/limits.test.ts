import { startTestAuth } from '@svc/auth/testing'
import { afterAll, expect, it } from 'vitest'
import { magicLinkCapability } from './capability.ts'
import { magicLink } from './contract.ts'

const options = { capabilities: [magicLinkCapability()] }
const auth = await startTestAuth({ options, env: { SVC_RATE_LIMIT: 'on' } })
afterAll(() => auth.stop())

it('counts what strangers can call by their address', async () => {
  expect(await auth.answersToStrangers(magicLink)).toEqual({
    requestMagicLink: 429,
    signInByMagicLink: 429,
  })
})

it('lets everyone call both operations', () => {
  expect(auth.accessOf(magicLink)).toEqual([
    'public requestMagicLink POST /_auth/magic-link',
    'public signInByMagicLink POST /_auth/magic-link/sign-in',
  ])
})
