import type { Account, Model } from './state.ts'

export const minute = 60_000

/** A refusal leaves nothing, but for the tries that are counted before anything is compared. */
export class Refusal extends Error {
  readonly answer: string
  readonly kept: Model | undefined

  constructor(answer: string, kept?: Model) {
    super(answer)
    this.answer = answer
    this.kept = kept
  }
}

export function refuse(answer: string, kept?: Model): never {
  throw new Refusal(answer, kept)
}

export const idAt = (model: Model, address: string) =>
  Object.keys(model.accounts).find((id) => model.accounts[id]?.address === address)

export const keysOf = (model: Model, owner: string) =>
  Object.values(model.keys).filter((key) => key.owner === owner)

export function refuseInactive({ status }: Account) {
  if (status === 'suspended') refuse('403 AccountDisabledError')
  if (status === 'pending_deletion') refuse('403 AccountPendingDeletionError')
}

/** Nearly everything is the owner's alone. */
export function callerOf(
  model: Model,
  by: string,
  support: 'owner only' | 'support too' = 'owner only',
) {
  const key = model.keys[by]
  if (key?.state !== 'active') return refuse('401 UnauthorizedError')
  if (key.expiresAt <= model.now) return refuse('401 KeyExpiredError')
  const account = model.accounts[key.owner] as Account
  refuseInactive(account)
  if (key.isSupport && support === 'owner only') refuse('403 SupportSessionForbiddenError')
  return { key, account, owner: key.owner }
}

export function steppedUp(model: Model, by: string) {
  const caller = callerOf(model, by)
  const { key, account } = caller
  const proved = key.provedAt ?? Number.NEGATIVE_INFINITY
  const isRecent = proved >= (account.factorSince ?? 0) && model.now - proved < 10 * minute
  if (account.factorSince !== null && !isRecent) refuse('403 StepUpRequiredError')
  return caller
}

/** What mints a credential: where there is no factor to step up with, a sign-in of the last minutes stands for it. */
export function fresh(model: Model, by: string) {
  const caller = steppedUp(model, by)
  const isRecent = model.now - caller.key.authenticatedAt < 10 * minute
  if (caller.account.factorSince === null && !isRecent) {
    refuse('403 RecentAuthenticationRequiredError')
  }
  return caller
}

export function proven(model: Model, { address, password }: { address: string; password: number }) {
  const owner = idAt(model, address)
  const account = owner === undefined ? undefined : model.accounts[owner]
  if (owner === undefined || account?.password !== password) {
    return refuse('401 InvalidCredentialsError')
  }
  return { owner, account }
}
