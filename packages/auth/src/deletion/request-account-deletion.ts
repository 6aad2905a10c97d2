import { type Tx, UnauthorizedError } from '@svc/core'
import {
  findCredentials,
  hasCredential,
  identifiersOf,
  type LockedAccount,
} from '../accounts/accounts.ts'
import { InvalidCredentialsError } from '../accounts/errors.ts'
import { auditRefusal } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { Caller, RequestOrigin } from '../caller/caller.ts'
import { RecentAuthenticationRequiredError } from '../caller/errors.ts'
import { spendVerificationToken } from '../codes/codes.ts'
import { VerificationTokenTargetMismatchError } from '../codes/errors.ts'
import { hasJustProved, provePassword } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { lockCaller } from '../keys/keys.ts'
import { byCredential, type Credential } from '../login/login.ts'
import type { PlacedHasher } from '../passwords/passwords.ts'
import { type BeginNeeds, beginDeletion } from './deletion.ts'

interface Request extends Credential {
  caller: Caller
  reason?: string | undefined
  origin: RequestOrigin
}

type RequestNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'passwords'> & BeginNeeds

const act = 'deletion.requested'

/**
 * Closes the account at once. It is purged when its grace period is over, unless its owner restores
 * it.
 */
export async function requestAccountDeletion(auth: RequestNeeds, request: Request) {
  const { caller, password, verificationToken, origin } = request
  const { userId, generation } = caller
  const tried = async (prove: () => Promise<GenerationOf>) => {
    await auth.limits.take('deletion request by account', userId)
    return auditRefusal(auth, { act, actor: userId, origin }, async () => {
      const generationOf = await prove()
      return inTransaction(auth.db, (tx) => close(tx, auth, { ...request, generationOf }))
    })
  }
  const isBare = password === undefined && verificationToken === undefined
  // A user who signs in only by a provider or a passkey has neither of the two.
  if (isBare && !(await hasCredential(auth.db, userId))) {
    return tried(async () => {
      if (!hasJustProved(auth, caller)) throw new RecentAuthenticationRequiredError()
      return async () => generation
    })
  }
  const credential = { password, verificationToken, origin }
  return byCredential(auth, credential, {
    byPassword: (given, placed) =>
      tried(async () => {
        await checkPassword(auth, { userId, password: given, placed })
        return async () => generation
      }),
    byToken: (token) => tried(async () => generationBy(auth, token)),
  })
}

/** Gives the account's generation when the user proved to be its owner. */
type GenerationOf = (tx: Tx, account: LockedAccount) => Promise<number>

function generationBy(auth: RequestNeeds, token: string): GenerationOf {
  return async (tx, account) => {
    const now = auth.clock.now()
    return (await spendOwnToken(tx, auth, { account, token, now })).generation
  }
}

/** An account without a password is proved by a token alone. */
async function checkPassword(
  auth: RequestNeeds,
  { userId, password, placed }: { userId: string; password: string; placed: PlacedHasher },
) {
  const passwordHash = (await findCredentials(auth.db, userId))?.passwordHash ?? null
  const account = { userId, passwordHash }
  if (!(await provePassword(auth, { account, password, hasher: placed })))
    throw new InvalidCredentialsError()
}

async function close(
  tx: Tx,
  auth: RequestNeeds,
  { caller, reason, origin, generationOf }: Request & { generationOf: GenerationOf },
) {
  const now = auth.clock.now()
  const { userId } = caller
  const account = await lockCaller(tx, caller)
  // A revocation was faster than the proof.
  if (account.generation !== (await generationOf(tx, account))) throw new InvalidCredentialsError()
  const closed = await beginDeletion(tx, auth, { account, actor: userId, origin, reason, now })
  if (!closed) throw new UnauthorizedError()
  return closed
}

interface Presented {
  account: LockedAccount
  token: string
  now: Date
}

/** Spends a token whose code went to the account's own address or number, either of the two. */
async function spendOwnToken(tx: Tx, auth: Needs<'env'>, { account, token, now }: Presented) {
  for (const identifier of identifiersOf(account)) {
    const presented = { token, purpose: 'account_deletion' as const, identifier, now }
    try {
      return await spendVerificationToken(tx, auth, presented)
    } catch (error) {
      // Refused before anything is spent: the token may be for the other one.
      if (!(error instanceof VerificationTokenTargetMismatchError)) throw error
    }
  }
  throw new VerificationTokenTargetMismatchError()
}
