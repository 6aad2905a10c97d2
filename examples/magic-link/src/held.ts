import type { HeldBy } from '@svc/auth/server'
import type { magicLink } from './contract.ts'

export const magicLinkActs = ['magic_link.used'] as const

/** The parts that the functions of this folder get. */
export type MagicLinkHeld = HeldBy<
  typeof magicLink,
  { acts: (typeof magicLinkActs)[number]; links: 'sign_in' }
>
