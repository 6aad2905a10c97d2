import { clientOf } from '@svc/auth'
import type { magicLink } from './contract.ts'
import { InvalidMagicLinkError } from './errors.ts'

/** The client's half. It has the contract by type alone, so that no schema gets into browsers. */
export const magicLinkClient = clientOf<typeof magicLink>({
  routeMap: {
    requestMagicLink: { method: 'POST', path: '/_auth/magic-link' },
    signInByMagicLink: { method: 'POST', path: '/_auth/magic-link/sign-in' },
  },
  errors: [InvalidMagicLinkError],
})
