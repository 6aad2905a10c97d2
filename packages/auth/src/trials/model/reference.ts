import { callerOf, idAt, keysOf, minute, proven, Refusal, refuse, steppedUp } from './caller.ts'
import { deviceRules } from './device-rules.ts'
import { factorRules } from './factor-rules.ts'
import { day, registerKey, signIn, signOutEverywhere } from './sign-in.ts'
import {
  type Account,
  type Act,
  type Command,
  type Key,
  type Model,
  newAccount,
  type Of,
} from './state.ts'

/** What the service must answer to a command, and what is so from then on. */
export function apply(before: Model, command: Command): { after: Model; answer: string } {
  const after = structuredClone(before)
  try {
    const rule = rules[command.act] as (model: Model, command: Command) => string
    return { after, answer: rule(after, command) }
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal
    return { after: refusal.kept ?? before, answer: refusal.answer }
  }
}

/** What a key is told that asks who is signed in. */
export function sessionOf(model: Model, by: string) {
  try {
    callerOf(model, by, 'support too')
    return '200'
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal
    return refusal.answer
  }
}

const isGood = (
  { accounts, now }: Model,
  { owner, generation, expiresAt }: Model['links'][string],
) => expiresAt > now && accounts[owner]?.generation === generation

const rules: { [A in Act]: (model: Model, command: Of<A>) => string } = {
  ...deviceRules,
  ...factorRules,
  register(model, { id, address, key }) {
    if (idAt(model, address) !== undefined) refuse('409 AccountAlreadyExistsError')
    model.accounts[id] = newAccount(address)
    registerKey(model, key, { owner: id })
    return '200'
  },
  login: (model, command) => signIn(model, { ...command, ...proven(model, command) }),
  logout(model, { by }) {
    callerOf(model, by).key.state = 'revoked'
    return '204'
  },
  openSupport(model, { address, key }) {
    const owner = idAt(model, address) as string
    if (model.accounts[owner]?.status !== 'active') refuse('409 ConflictError')
    const expiresAt = model.now + 30 * minute
    registerKey(model, key, { owner, expiresAt, isSupport: true })
    return '200'
  },
  endSupport(model, { by }) {
    const { key } = callerOf(model, by, 'support too')
    if (!key.isSupport) refuse('404 KeyNotFoundError')
    key.state = 'revoked'
    return '204'
  },
  rotateKey(model, { by, key: name }) {
    const { key, owner } = callerOf(model, by)
    const { authenticatedAt, madeBy } = key
    if (name !== by) Object.assign(key, { state: 'revoked', successor: name })
    registerKey(model, name, { owner, authenticatedAt, madeBy })
    for (const each of keysOf(model, owner)) if (each.madeBy === by) each.madeBy = name
    for (const device of Object.values(model.devices)) {
      if (device.state === 'approved' && device.approvedBy === by) device.approvedBy = name
    }
    return '200'
  },
  revokeKey(model, { by, key: name, keepMade }) {
    const { owner } = callerOf(model, by)
    const asked = model.keys[name]
    const isTheirs = asked?.owner === owner && ['active', 'revoked'].includes(asked.state)
    if (!isTheirs) return refuse('404 KeyNotFoundError')
    const latest = latestOf(model, name)
    ;(model.keys[latest] as Key).state = 'revoked'
    if (latest === by || keepMade) return `200 ${latest === by} 0`
    const ended = letInBy(model, latest, by)
    for (const each of ended) each.state = 'revoked'
    return `200 false ${ended.length}`
  },
  revokeAllKeys(model, { by, includeCurrent }) {
    const { key, owner } = steppedUp(model, by)
    const { provedAt } = key
    const count = signOutEverywhere(model, owner, includeCurrent ? undefined : key)
    if (!includeCurrent) key.provedAt = provedAt
    return `200 ${count} ${includeCurrent}`
  },
  changePassword(model, { by, password, next }) {
    const { key, owner, account } = steppedUp(model, by)
    if (account.password !== password) refuse('401 InvalidCredentialsError')
    account.password = next
    signOutEverywhere(model, owner, key)
    return '204'
  },
  requestReset(model, { id, address }) {
    for (const link of Object.values(model.links))
      if (link.address === address) link.state = 'ended'
    const owner = idAt(model, address)
    const account = owner === undefined ? undefined : model.accounts[owner]
    if (owner === undefined || account?.status !== 'active') return '200'
    const { generation } = account
    model.links[id] = {
      address,
      owner,
      generation,
      state: 'issued',
      expiresAt: model.now + 30 * minute,
    }
    return '200'
  },
  openReset(model, { link: name }) {
    const link = model.links[name]
    if (link?.state !== 'issued' || !isGood(model, link))
      return refuse('401 PasswordResetLinkError')
    Object.assign(link, { state: 'opened', expiresAt: model.now + 15 * minute })
    return '200'
  },
  completeReset(model, { id, link: name, key, next }) {
    const link = model.links[name]
    if (link?.state !== 'opened' || !isGood(model, link))
      return refuse('401 PasswordResetSessionError')
    link.state = 'ended'
    const { owner } = link
    ;(model.accounts[owner] as Account).password = next
    signOutEverywhere(model, owner)
    return signIn(model, { id, key, owner })
  },
  requestDeletion(model, { by, password }) {
    const { owner, account } = steppedUp(model, by)
    if (account.password !== password) refuse('401 InvalidCredentialsError')
    Object.assign(account, { status: 'pending_deletion', purgeAt: model.now + 30 * day })
    signOutEverywhere(model, owner)
    return '200'
  },
  cancelDeletion(model, command) {
    const { account } = proven(model, command)
    const isLate = account.purgeAt <= model.now
    if (account.status === 'suspended') refuse('403 AccountDisabledError')
    if (account.status === 'pending_deletion' && isLate) refuse('401 InvalidCredentialsError')
    account.status = 'active'
    return '204'
  },
  purge(model) {
    for (const [id, { status, purgeAt, address }] of Object.entries(model.accounts)) {
      if (status !== 'pending_deletion' || purgeAt > model.now) continue
      delete model.accounts[id]
      for (const key of keysOf(model, id)) Object.assign(key, { owner: '', state: 'deleted' })
      forget(model.devices, ({ claimedBy }) => claimedBy === id)
      forget(model.challenges, ({ owner }) => owner === id)
      forget(model.links, (link) => link.address === address)
    }
    return 'done'
  },
  suspend(model, { address }) {
    const id = idAt(model, address) as string
    const account = model.accounts[id] as Account
    if (account.status !== 'active') refuse('409 ConflictError')
    account.status = 'suspended'
    signOutEverywhere(model, id)
    return 'done'
  },
  reactivate(model, { address }) {
    const account = model.accounts[idAt(model, address) as string] as Account
    if (account.status !== 'suspended') refuse('409 ConflictError')
    account.status = 'active'
    return 'done'
  },
  wait(model, { millis }) {
    model.now += millis
    return 'done'
  },
}

/** The key that is in the place of one by now. */
function latestOf(model: Model, name: string): string {
  const successor = model.keys[name]?.successor ?? null
  return successor === null ? name : latestOf(model, successor)
}

/** The keys that sign and were let in by a key, or by one of these; less the one that asks, and what that let in. */
function letInBy(model: Model, name: string, by: string) {
  const names = [name]
  for (const maker of names) {
    for (const [made, key] of Object.entries(model.keys)) {
      if (key.madeBy === maker && made !== by && !names.includes(made)) names.push(made)
    }
  }
  const keys = names.slice(1).map((made) => model.keys[made] as Key)
  return keys.filter(({ state }) => state === 'active')
}

function forget<Row>(rows: Record<string, Row>, isGone: (row: Row) => boolean) {
  for (const [name, row] of Object.entries(rows)) if (isGone(row)) delete rows[name]
}
