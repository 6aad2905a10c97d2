import { type Arbitrary, constantFrom, integer, nat, oneof, record } from 'fast-check'
import { idAt } from './caller.ts'
import type { Account, Act, Command, Model, Proof } from './state.ts'

/** What somebody is about to do, before it is known what there is to do it with. */
export interface Intent {
  act: Act
  picks: {
    address: number
    by: number
    with: number
    which: number
    next: number
    isRight: boolean
  }
}

const addresses = ['one', 'two']
const minute = 60_000
const waits = [5000, 30_000, 2 * minute, 9 * minute, 16 * minute, 61 * minute]
const longWaits = [31, 91].map((days) => days * 1440 * minute)

const often: Act[] = [
  'login',
  'approveDevice',
  'pollDevice',
  'startDevice',
  'enrol',
  'confirmFactor',
]
const sometimes: Act[] = [
  ...(['stepUp', 'verifyFactor', 'requestReset', 'openReset', 'completeReset'] as const),
  ...(['revokeAllKeys', 'changePassword', 'rotateKey', 'revokeKey', 'wait'] as const),
]
const seldom: Act[] = [
  ...(['register', 'logout', 'regenerateCodes', 'disableFactor', 'lookAtDevice'] as const),
  ...([
    'denyDevice',
    'suspend',
    'reactivate',
    'requestDeletion',
    'cancelDeletion',
    'purge',
    'openSupport',
    'endSupport',
  ] as const),
]

const among = (acts: Act[], without: readonly Act[]) =>
  constantFrom(...acts.filter((act) => !without.includes(act)))

/** Anything that can be done, less some. */
export function anyIntent(...without: Act[]): Arbitrary<Intent> {
  const act = oneof(
    { weight: 4, arbitrary: among(often, without) },
    { weight: 4, arbitrary: among(sometimes, without) },
    { weight: 2, arbitrary: among(seldom, without) },
  )
  const picks = record({
    address: constantFrom(0, 0, 0, 1),
    by: nat(999),
    with: nat(999),
    which: nat(999),
    next: nat(9),
    isRight: integer({ min: 0, max: 5 }).map((chance) => chance > 0),
  })
  return record({ act, picks })
}

const pick = <Value>(values: readonly Value[], number: number) => values[number % values.length]
const newest = (rows: object, number: number) => pick(Object.keys(rows).toReversed(), number % 3)

/** Mostly one that signs. */
function signerIn({ keys }: Model, number: number) {
  const all = Object.keys(keys)
  const active = all.filter((name) => keys[name]?.state === 'active')
  return pick(number % 6 === 0 || active.length === 0 ? all : active, number)
}

/** Mostly one that nobody has used. */
const keyIn = ({ keys }: Model, id: string, number: number) =>
  number % 3 === 0 ? (pick(Object.keys(keys), number) ?? id) : id

/** What the owner of an account has at hand, where they do not err. */
function handOf(account: Account | undefined, { which, isRight }: Intent['picks']) {
  const { password: known = 0, app: enrolled, codes } = account ?? {}
  const app = isRight ? (enrolled?.enrolled ?? null) : null
  const isRecovery = isRight && codes && which % 3 === 0
  const proof: Proof = isRecovery
    ? { kind: 'recovery', set: codes.set, index: which % 4 }
    : { kind: 'code', app }
  const password = isRight ? known : (known + 1) % 3
  return { password, app, proof, next: (known + 1) % 3 }
}

/** What somebody would do next who wants to get somewhere: else most of what is tried would be refused. */
function nextActs(model: Model): Act[] {
  const { now } = model
  const live = <Row extends { expiresAt: number }>(rows: Record<string, Row>) =>
    Object.values(rows).filter(({ expiresAt }) => expiresAt > now)
  const acts: Act[] = []
  const isSignedIn = live(model.keys).some(({ state }) => state === 'active')
  if (live(model.challenges).length > 0) acts.push('verifyFactor')
  for (const { state } of live(model.links)) {
    if (state === 'issued') acts.push('openReset')
    if (state === 'opened') acts.push('completeReset')
  }
  for (const { state } of live(model.devices)) {
    if (state === 'approved') acts.push('pollDevice')
    if (state === 'pending' && isSignedIn) acts.push('approveDevice')
  }
  for (const { app, factorSince } of Object.values(model.accounts)) {
    if (app && isSignedIn) acts.push(factorSince === null ? 'confirmFactor' : 'stepUp')
  }
  return isSignedIn ? acts : [...acts, ...wayIn(model)]
}

/** Of the first address. */
function wayIn(model: Model): Act[] {
  const status = model.accounts[idAt(model, 'one') ?? '']?.status
  if (status === undefined) return ['register']
  if (status === 'suspended') return ['reactivate']
  return [status === 'active' ? 'login' : 'cancelDeletion']
}

/** The intent with names in it. Null where there is nothing that it could be done with. */
export function commandOf(model: Model, intent: Intent, id: string): Command | null {
  const { picks } = intent
  const next = picks.next % 2 === 0 ? pick(nextActs(model), picks.with) : undefined
  return named(model, { act: next ?? intent.act, picks }, id)
}

/** What each is done with, and presents. */
const takes: Record<Act, readonly string[]> = {
  register: ['address', 'key'],
  login: ['address', 'key', 'password'],
  logout: ['by'],
  rotateKey: ['by', 'key'],
  revokeKey: ['by', 'key', 'keepMade'],
  revokeAllKeys: ['by', 'includeCurrent'],
  changePassword: ['by', 'password', 'next'],
  startDevice: ['key'],
  lookAtDevice: ['by', 'device'],
  approveDevice: ['by', 'device'],
  denyDevice: ['by', 'device'],
  pollDevice: ['device'],
  requestReset: ['address'],
  openReset: ['link'],
  completeReset: ['link', 'key', 'next'],
  enrol: ['by'],
  confirmFactor: ['by', 'app'],
  disableFactor: ['by'],
  regenerateCodes: ['by'],
  stepUp: ['by', 'proof'],
  verifyFactor: ['challenge', 'proof'],
  requestDeletion: ['by', 'password'],
  cancelDeletion: ['address', 'password'],
  suspend: ['owner', 'address'],
  reactivate: ['owner', 'address'],
  openSupport: ['owner', 'address', 'key'],
  endSupport: ['by'],
  purge: [],
  wait: ['millis'],
}

function named(model: Model, { act, picks }: Intent, id: string): Command | null {
  const taken = takes[act]
  const address = addresses[picks.address] as string
  const by = signerIn(model, picks.by)
  const link = newest(model.links, picks.which)
  const challenge = newest(model.challenges, picks.which)
  const known = act === 'revokeKey' ? pick(Object.keys(model.keys), picks.which) : undefined
  const rows = { by: model.keys, link: model.links, challenge: model.challenges }
  const names = { by, link, challenge }
  const [holder] = (['by', 'link', 'challenge'] as const).filter((each) => taken.includes(each))
  const owner = holder ? rows[holder][names[holder] ?? '']?.owner : idAt(model, address)
  const given: Record<string, unknown> = {
    ...names,
    address,
    owner,
    key: known ?? keyIn(model, id, picks.with),
    device: newest(model.devices, picks.which),
    includeCurrent: picks.which % 2 === 0,
    keepMade: picks.next === 0,
    millis: pick(picks.which % 12 === 0 ? longWaits : waits, picks.by),
    ...handOf(model.accounts[owner ?? ''], picks),
  }
  if (taken.some((name) => given[name] === undefined)) return null
  const members = taken.filter((name) => name !== 'owner').map((name) => [name, given[name]])
  return { id, act, ...Object.fromEntries(members) } as Command
}
