import type { Db } from '@svc/core'
import { heldOn } from '../auth.ts'
import type { HeldBy } from '../capability/capability.ts'
import { deletionContract } from './contract.ts'
import type { WithDeletion } from './deletion-options.ts'

type DeletionHeld = HeldBy<typeof deletionContract, { own: WithDeletion; acts: string }>

/** What the capability holds on a database: a job is told no more than that. */
export const deletionOn = (db: Db) => heldOn(db, deletionContract) as DeletionHeld
