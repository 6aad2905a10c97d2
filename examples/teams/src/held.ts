import type { HeldBy } from '@svc/auth/server'
import type { teams } from './contract.ts'

export const teamActs = [
  'team.created',
  'team.renamed',
  'team.member_added',
  'team.member_removed',
] as const

export type TeamAct = (typeof teamActs)[number]

/** What `open` returns. */
export interface TeamOwn {
  readonly maxMembers: number
}

/** The parts that the functions of this folder get. */
export type TeamHeld = HeldBy<typeof teams, { own: TeamOwn; acts: TeamAct }>
