import { ConflictError, type Tx } from '@svc/core'
import { demandNewPassword, type LockedAccount } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { FreshCaller, RequestOrigin } from '../caller/caller.ts'
import { defineCapability, type HeldBy } from '../capability/capability.ts'
import { displayText } from '../display-text.ts'
import { inTransaction } from '../in-transaction.ts'
import { revokeKeyOf } from '../keys/keys.ts'
import { lockBelow } from '../roles/roles.ts'
import { signOutEverywhere } from '../sign-out/sign-out.ts'
import { reactivate, suspend } from '../suspension/suspension.ts'
import { peopleActs } from './acts.ts'
import { peopleContract } from './contract.ts'
import { findUsers } from './find-users.ts'
import { readUser } from './read-user.ts'

type PeopleHeld = HeldBy<typeof peopleContract, { acts: (typeof peopleActs)[number] }>

interface Request {
  caller: FreshCaller
  params: { userId: string }
  body: { reason?: string | undefined }
  origin: RequestOrigin
}

/** Who does it, from where, and why: as the trail has it. */
interface By {
  actor: string
  origin: RequestOrigin
  reason?: string | undefined
  now: Date
}

/** Each act is one transaction, on an account that ranks below the caller's. */
async function act<Result>(
  auth: PeopleHeld,
  { caller, params, body, origin }: Request,
  change: (tx: Tx, account: LockedAccount, by: By) => Promise<Result>,
) {
  const { userId: actor } = caller
  await auth.limits.take('user change by account', actor)
  const by = {
    actor,
    origin,
    reason: displayText(body.reason, 500) ?? undefined,
    now: auth.clock.now(),
  }
  return inTransaction(auth.db, async (tx) =>
    change(tx, await lockBelow(tx, caller, params.userId), by),
  )
}

const because = ({ reason }: By) => (reason === undefined ? {} : { reason })

async function signOut(
  tx: Tx,
  auth: PeopleHeld,
  { account, keyId, by }: { account: LockedAccount; keyId: string | undefined; by: By },
) {
  const { actor, origin, now } = by
  if (keyId !== undefined) return revokeKeyOf(tx, auth, { account, keyId, actor, origin, now })
  const revocation = { account, spare: null, reason: 'operator', now }
  return signOutEverywhere(tx, auth, revocation)
}

export const peopleCapability = defineCapability(peopleContract, {
  audit: peopleActs,
  handlers: {
    listUsers: async ({ auth, caller, query }) => {
      await auth.limits.take('user list by account', caller.userId)
      return findUsers(auth, query)
    },
    readUser: async ({ auth, caller, params }) => {
      await auth.limits.take('user list by account', caller.userId)
      return readUser(auth, params.userId)
    },
    suspendUser: async ({ auth, c, ...request }) => {
      await act(auth, request, (tx, account, by) => suspend(tx, auth, account, by))
      return c.noContent()
    },
    reactivateUser: async ({ auth, c, ...request }) => {
      await act(auth, request, (tx, account, by) => reactivate(tx, account, by))
      return c.noContent()
    },
    signUserOut: async ({ auth, ...request }) => {
      const { keyId } = request.body
      const keyIds = await act(auth, request, async (tx, account, by) => {
        const ended = await signOut(tx, auth, { account, keyId, by })
        const { actor, origin, now: at } = by
        const details = { revokedCount: ended.length, ...(keyId && { keyId }), ...because(by) }
        const entry = { act: 'user.signed_out' as const, actor, origin, details, at }
        await recordAudit(tx, { ...entry, target: account.userId })
        return ended
      })
      return { revokedCount: keyIds.length }
    },
    requireNewPassword: async ({ auth, c, ...request }) => {
      await act(auth, request, async (tx, account, by) => {
        if (!(await demandNewPassword(tx, account))) {
          throw new ConflictError({ message: 'The account has no password.' })
        }
        const { actor, origin, now: at } = by
        const entry = { act: 'user.password_required' as const, actor, origin, at }
        await recordAudit(tx, { ...entry, target: account.userId, details: because(by) })
      })
      return c.noContent()
    },
  },
})
