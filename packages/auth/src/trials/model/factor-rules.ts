import { callerOf, fresh, keysOf, minute, refuse, steppedUp } from './caller.ts'
import { refuseWaiting } from './sign-in.ts'
import type { Account, Counter, Key, Model, Of, Proof } from './state.ts'

/** One more try: what is left where the proof is wrong. */
function counted(model: Model, owner: string, counter: Counter) {
  const kept = structuredClone(model)
  const { tries } = kept.accounts[owner] as Account
  const { count: before, endsAt: end } = tries[counter]
  const isOver = end <= model.now
  const count = isOver ? 1 : before + 1
  const endsAt = isOver ? model.now + 60 * minute : end
  if (count > 20) refuse('429 TooManyRequestsError')
  tries[counter] = { count, endsAt }
  ;(model.accounts[owner] as Account).tries[counter] = { count: count - 1, endsAt }
  return kept
}

const counterOf = ({ kind }: Proof, door: 'sign-in' | 'step-up') =>
  kind === 'recovery' ? 'recovery code' : door

const stepAt = ({ now }: Model) => Math.floor(now / 30_000)

function isProved(model: Model, account: Account, proof: Proof) {
  const { app, codes } = account
  if (proof.kind === 'recovery') {
    if (codes?.set !== proof.set || codes.used.includes(proof.index)) return false
    codes.used.push(proof.index)
    return true
  }
  const step = stepAt(model)
  if (!app?.isConfirmed || app.enrolled !== proof.app || app.lastStep >= step) return false
  app.lastStep = step
  return true
}

/** The fifth wrong try ends the sign-in. */
function burned(kept: Model, name: string) {
  const challenge = kept.challenges[name]
  if (challenge && ++challenge.tries >= 5) {
    delete kept.challenges[name]
    const key = kept.keys[challenge.key]
    if (key?.state === 'pending') key.state = 'deleted'
  }
  return kept
}

/** The second factor. */
export const factorRules = {
  enrol(model: Model, { id, by }: Of<'enrol'>) {
    const { account } = fresh(model, by)
    if (account.app?.isConfirmed) refuse('409 MfaAlreadyEnrolledError')
    account.app = { enrolled: id, isConfirmed: false, createdAt: model.now, lastStep: 0 }
    return '200'
  },
  confirmFactor(model: Model, { id, by, app: shown }: Of<'confirmFactor'>) {
    const { key, owner, account } = fresh(model, by)
    const { app } = account
    if (app?.isConfirmed) return refuse('409 MfaAlreadyEnrolledError')
    if (!app || model.now - app.createdAt >= 10 * minute) return refuse('400 MfaNotEnrolledError')
    const kept = counted(model, owner, 'step-up')
    if (app.enrolled !== shown) refuse('401 MfaVerificationFailedError', kept)
    Object.assign(app, { isConfirmed: true, lastStep: stepAt(model) })
    account.codes = { set: id, used: [] }
    account.factorSince = model.now
    refuseWaiting(model, owner)
    key.provedAt = model.now
    return '200'
  },
  disableFactor(model: Model, { by }: Of<'disableFactor'>) {
    const { owner, account } = steppedUp(model, by)
    Object.assign(account, { app: null, codes: null })
    if (account.factorSince === null) return '204'
    account.factorSince = null
    for (const [name, { key, ...challenge }] of Object.entries(model.challenges)) {
      if (challenge.owner !== owner) continue
      delete model.challenges[name]
      const waiting = model.keys[key] as Key
      if (waiting.state === 'pending') waiting.state = 'deleted'
    }
    for (const key of keysOf(model, owner)) key.provedAt = null
    return '204'
  },
  regenerateCodes(model: Model, { id, by }: Of<'regenerateCodes'>) {
    const { account } = steppedUp(model, by)
    if (account.factorSince === null) refuse('400 MfaNotEnrolledError')
    account.codes = { set: id, used: [] }
    return '200'
  },
  stepUp(model: Model, { by, proof }: Of<'stepUp'>) {
    const { key, owner, account } = callerOf(model, by)
    if (account.factorSince === null) refuse('400 MfaNotEnrolledError')
    const kept = counted(model, owner, counterOf(proof, 'step-up'))
    if (!isProved(model, account, proof)) refuse('401 MfaVerificationFailedError', kept)
    key.provedAt = model.now
    return '204'
  },
  verifyFactor(model: Model, { challenge: name, proof }: Of<'verifyFactor'>) {
    const challenge = model.challenges[name]
    const failed = '401 MfaVerificationFailedError'
    if (!challenge || challenge.expiresAt <= model.now) return refuse(failed)
    const { owner, key: keyName } = challenge
    const kept = burned(counted(model, owner, counterOf(proof, 'sign-in')), name)
    const account = model.accounts[owner] as Account
    const key = model.keys[keyName] as Key
    const isOpen = account.generation === challenge.generation && key.state === 'pending'
    if (!isOpen || !isProved(model, account, proof)) refuse(failed, kept)
    delete model.challenges[name]
    Object.assign(key, { state: 'active', authenticatedAt: model.now, provedAt: model.now })
    return '200'
  },
}
