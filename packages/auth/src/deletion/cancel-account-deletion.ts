import type { Tx } from '@svc/core'
import {
  findAccount,
  type Identifier,
  type LockedAccount,
  lockAccount,
  readIdentifier,
} from '../accounts/accounts.ts'
import { AccountDisabledError, InvalidCredentialsError } from '../accounts/errors.ts'
import { auditRefusal } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import { spendVerificationToken } from '../codes/codes.ts'
import { inTransaction } from '../in-transaction.ts'
import { byCredential, type Credential, tryPassword } from '../login/login.ts'
import type { PlacedHasher } from '../passwords/passwords.ts'
import { restoreAccount } from './deletion.ts'

interface CancelBody extends Credential {
  email?: string | undefined
  phone?: string | undefined
}

type CancelNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'passwords' | 'notifier' | 'log'>

const act = 'deletion.cancelled' as const

/**
 * Restores an account whose deletion is pending. It has the limits, the cost and the responses of a
 * sign-in, so that an attacker can't guess passwords here instead. It doesn't sign in.
 */
export async function cancelAccountDeletion(
  auth: CancelNeeds,
  body: CancelBody,
  origin: RequestOrigin,
) {
  const identifier = readIdentifier(body)
  const { password: given, verificationToken } = body
  const credential = { password: given, verificationToken, origin }
  const attempt = { identifier, origin }
  return byCredential(auth, credential, {
    byPassword: (password, placed) => cancelByPassword(auth, { ...attempt, password, placed }),
    byToken: (token) => cancelByToken(auth, { ...attempt, token }),
  })
}

interface Attempt {
  identifier: Identifier
  origin: RequestOrigin
}

async function cancelByPassword(
  auth: CancelNeeds,
  attempt: Attempt & { password: string; placed: PlacedHasher },
) {
  const { origin } = attempt
  const { isRight, account } = await tryPassword(auth, attempt)
  const refused = { act, target: account?.userId ?? null, origin }
  await auditRefusal(auth, refused, async () => {
    if (!isRight) throw new InvalidCredentialsError()
    await inTransaction(auth.db, (tx) => restore(tx, auth, { ...account, origin }))
  })
}

async function cancelByToken(
  auth: CancelNeeds,
  { identifier, token, origin }: Attempt & { token: string },
) {
  const account = await findAccount(auth.db, identifier)
  const refused = { act, target: account?.userId ?? null, origin }
  const now = auth.clock.now()
  const presented = { token, purpose: 'account_deletion' as const, identifier, now }
  await auditRefusal(auth, refused, () =>
    inTransaction(auth.db, async (tx) => {
      // Spent before the response reveals anything of the account: only the owner of the address
      // gets this far.
      const { generation } = await spendVerificationToken(tx, auth, presented)
      if (!account) throw new InvalidCredentialsError()
      await restore(tx, auth, { userId: account.userId, generation, origin })
    }),
  )
}

interface Proved {
  userId: string
  /** The account's generation when the credential was checked. */
  generation: number
  origin: RequestOrigin
}

async function restore(tx: Tx, auth: CancelNeeds, { userId, generation, origin }: Proved) {
  const now = auth.clock.now()
  const account = await lockAccount(tx, userId)
  if (!account || account.generation !== generation) throw new InvalidCredentialsError()
  const isRestored = await restoreAccount(tx, auth, { account, actor: userId, origin, now })
  if (!isRestored) refuseOthers(account)
}

/**
 * An active account is fine: the first of two calls has restored it. One that is due no longer
 * exists.
 */
function refuseOthers({ status }: LockedAccount) {
  if (status === 'active') return
  throw status === 'suspended' ? new AccountDisabledError() : new InvalidCredentialsError()
}
