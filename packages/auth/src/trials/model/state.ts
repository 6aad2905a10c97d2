/** Plain data, and all of it: what the service keeps of two addresses, as far as it decides who signs. */
export interface Model {
  now: number
  accounts: Record<string, Account>
  keys: Record<string, Key>
  devices: Record<string, Device>
  links: Record<string, Link>
  challenges: Record<string, Challenge>
}

export interface Account {
  address: string
  status: 'active' | 'suspended' | 'pending_deletion'
  password: number
  generation: number
  factorSince: number | null
  app: { enrolled: string; isConfirmed: boolean; createdAt: number; lastStep: number } | null
  codes: { set: string; used: number[] } | null
  purgeAt: number
  /** What can be guessed at each door, and the recovery codes, are counted separately. */
  tries: Record<Counter, { count: number; endsAt: number }>
}

export type Counter = 'sign-in' | 'step-up' | 'recovery code'

export interface Key {
  owner: string
  state: 'active' | 'pending' | 'revoked' | 'deleted'
  /** With it, an operator acts as the owner. */
  isSupport: boolean
  expiresAt: number
  authenticatedAt: number
  provedAt: number | null
  /** The key that let it in. */
  madeBy: string | null
  /** The key that was put in its place. */
  successor: string | null
}

interface Device {
  key: string
  state: 'pending' | 'approved' | 'denied' | 'refused' | 'spent'
  claimedBy: string | null
  generation: number | null
  authenticatedAt: number
  approvedBy: string | null
  expiresAt: number
  lastPolledAt: number
}

interface Link {
  address: string
  owner: string
  generation: number
  state: 'issued' | 'opened' | 'ended'
  expiresAt: number
}

interface Challenge {
  key: string
  owner: string
  generation: number
  expiresAt: number
  tries: number
}

/** What proves the second factor: a code of the app that a call has enrolled, or of none. */
export type Proof =
  | { kind: 'code'; app: string | null }
  | { kind: 'recovery'; set: string; index: number }

/** One call with all that it names and presents. What it makes is named by its `id`, and an account by who registered it. */
export type Command = { id: string } & (
  | { act: 'register'; address: string; key: string }
  | { act: 'login'; address: string; key: string; password: number }
  | { act: 'rotateKey'; by: string; key: string }
  | { act: 'logout' | 'regenerateCodes' | 'disableFactor' | 'enrol' | 'endSupport'; by: string }
  | { act: 'openSupport'; address: string; key: string }
  | { act: 'revokeKey'; by: string; key: string; keepMade: boolean }
  | { act: 'revokeAllKeys'; by: string; includeCurrent: boolean }
  | { act: 'changePassword'; by: string; password: number; next: number }
  | { act: 'requestDeletion'; by: string; password: number }
  | { act: 'confirmFactor'; by: string; app: string | null }
  | { act: 'startDevice'; key: string }
  | { act: 'lookAtDevice' | 'approveDevice' | 'denyDevice'; by: string; device: string }
  | { act: 'pollDevice'; device: string }
  | { act: 'requestReset' | 'suspend' | 'reactivate'; address: string }
  | { act: 'openReset'; link: string }
  | { act: 'completeReset'; link: string; key: string; next: number }
  | { act: 'stepUp'; by: string; proof: Proof }
  | { act: 'verifyFactor'; challenge: string; proof: Proof }
  | { act: 'cancelDeletion'; address: string; password: number }
  | { act: 'purge' }
  | { act: 'wait'; millis: number }
)

export type Act = Command['act']
export type Of<A extends Act> = Extract<Command, { act: A }>

const none = { count: 0, endsAt: 0 }

export const newAccount = (address: string): Account => ({
  address,
  status: 'active',
  password: 0,
  generation: 0,
  factorSince: null,
  app: null,
  codes: null,
  purgeAt: 0,
  tries: { 'sign-in': none, 'step-up': none, 'recovery code': none },
})
