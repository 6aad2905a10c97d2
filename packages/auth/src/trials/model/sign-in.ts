import { keysOf, minute, refuse, refuseInactive } from './caller.ts'
import type { Account, Key, Model } from './state.ts'

export const day = 1440 * minute
const keyLife = 90 * day

type Placed = Pick<Key, 'owner'> & Partial<Key>

export function registerKey(model: Model, name: string, { owner, ...given }: Placed) {
  const { now } = model
  const times = { expiresAt: now + keyLife, authenticatedAt: now, provedAt: null, isSupport: false }
  const life = { ...times, madeBy: null, successor: null, ...given }
  const fresh: Key = { owner, state: 'active', ...life }
  const known = model.keys[name]
  if (!known) model.keys[name] = fresh
  else if (
    known.owner !== owner ||
    known.state !== fresh.state ||
    known.isSupport ||
    fresh.isSupport
  )
    refuse('409 KeyIdAlreadyRegisteredError')
  else if (known.state === 'active') {
    if (known.expiresAt <= now) {
      Object.assign(known, { expiresAt: fresh.expiresAt, madeBy: fresh.madeBy })
    }
    known.authenticatedAt = Math.max(known.authenticatedAt, fresh.authenticatedAt)
  }
}

/** After the first factor. */
export function signIn(
  model: Model,
  { id, key, owner }: { id: string; key: string; owner: string },
) {
  const account = model.accounts[owner] as Account
  refuseInactive(account)
  const known = model.keys[key]
  const isDevice = known?.state === 'active' && known.owner === owner && !known.isSupport
  if (account.factorSince === null || isDevice) {
    registerKey(model, key, { owner })
    return '200'
  }
  registerKey(model, key, { owner, state: 'pending' })
  for (const [name, challenge] of Object.entries(model.challenges)) {
    if (challenge.key === key) delete model.challenges[name]
  }
  const { generation } = account
  model.challenges[id] = { key, owner, generation, expiresAt: model.now + 10 * minute, tries: 0 }
  return '202'
}

export function refuseWaiting(model: Model, owner: string) {
  for (const device of Object.values(model.devices)) {
    const isLive = ['pending', 'approved'].includes(device.state) && device.expiresAt > model.now
    if (device.claimedBy === owner && isLive) device.state = 'refused'
  }
}

/** Answers how many keys signed until then. */
export function signOutEverywhere(model: Model, owner: string, spare?: Key) {
  const account = model.accounts[owner] as Account
  account.generation += 1
  refuseWaiting(model, owner)
  const keys = keysOf(model, owner)
  for (const key of keys) key.provedAt = null
  const ended = keys.filter((key) => key !== spare && key.state === 'active')
  for (const key of keys) if (key.state === 'pending') key.state = 'deleted'
  for (const key of ended) key.state = 'revoked'
  return ended.length
}
