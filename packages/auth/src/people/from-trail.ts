import type { Db } from '@svc/core'
import { goneAccount, labelsOf } from '../accounts/accounts.ts'
import { findAct } from '../audit/audit.ts'
import type { UserDetails } from './user-details.ts'

interface Account {
  userId: string
  status: string
  createdAt: Date
}

type FromTrail = Pick<UserDetails, 'createdBy' | 'invitedBy' | 'suspension'>

/** Who opened an account or invited its owner, and who suspended it: as long as the trail keeps that. */
export async function fromTrail(db: Db, account: Account): Promise<FromTrail> {
  const { createdBy, invitedBy } = await findMaker(db, account)
  const suspended =
    account.status === 'suspended'
      ? await findAct(db, { act: 'account.suspended', target: account.userId })
      : null
  const labels = await labelsOf(db, [createdBy, invitedBy, suspended?.actor])
  const named = (userId: string) => labels.get(userId) ?? goneAccount(userId)
  const reason = suspended?.details?.['reason']
  return {
    ...(createdBy && { createdBy: named(createdBy) }),
    ...(invitedBy && { invitedBy: named(invitedBy) }),
    ...(suspended && {
      suspension: {
        at: suspended.at,
        ...(suspended.actor && { by: named(suspended.actor) }),
        ...(typeof reason === 'string' && { reason }),
      },
    }),
  }
}

interface Maker {
  createdBy?: string | undefined
  invitedBy?: string | undefined
}

/** The line is of the very moment in which the account was opened, so no long trail is searched. */
async function findMaker(db: Db, { userId, createdAt: at }: Account): Promise<Maker> {
  const created = await findAct(db, { act: 'user.created', target: userId, at })
  if (created) return { createdBy: created.actor }
  const accepted = await findAct(db, { act: 'invitation.accepted', actor: userId, at })
  const target = accepted?.target
  if (target === undefined) return {}
  // The user who sends it again is its inviter from then on.
  const resent = await findAct(db, { act: 'invitation.resent', target })
  const sent = resent ?? (await findAct(db, { act: 'invitation.created', target }))
  return { invitedBy: sent?.actor }
}
