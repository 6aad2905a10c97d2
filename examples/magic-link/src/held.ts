import type { HeldBy } from '@svc/auth/server'
import type { magicLink } from './contract.ts'

export const magicLinkActs = ['magic_link.used'] as const

/** What the functions of this folder are given. */
export type MagicLinkHeld = HeldBy<
  typeof magicLink,
  { acts: (typeof magicLinkActs)[number]; links: 'sign_in' }
>
