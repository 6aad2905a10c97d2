import type { HeldBy } from '@svc/auth/server'
import type { teams } from './contract.ts'

export const teamActs = [
  'team.created',
  'team.renamed',
  'team.member_added',
  'team.member_removed',
] as const

export type TeamAct = (typeof teamActs)[number]

/** What `open` answers. */
export interface TeamOwn {
  readonly maxMembers: number
}

/** What the functions of this folder are given. */
export type TeamHeld = HeldBy<typeof teams, { own: TeamOwn; acts: TeamAct }>
