import { clientAddress, placeHeader, type RawContext } from '@svc/core'
import { displayText } from '../display-text.ts'
import type { LimitName } from '../limits/contract.ts'
import { knownBrowserHeader } from './contract.ts'
import type { coreActs } from './core-acts.ts'
import { findStanding } from './standing.ts'

/**
 * Where a request came from. It is stored and shown. It decides nothing but which limits count the
 * request.
 */
export interface RequestOrigin {
  readonly address: string | null
  readonly userAgent: string | null
  readonly requestId: string
  /** The key that signed it, if one did. */
  readonly keyId: string | null
  /** The agent of another company that has asked in the account’s name. */
  readonly agent?: ActingAgent
  /** The operator who acts as the account's owner, in a support session. */
  readonly actor?: string
  /** What its standing says of the tenant that it names. */
  readonly tenant?: Readonly<Record<string, string>>
  /**
   * The signed token of a request that changes something. It is spent by now, and kept to prove
   * which key asked.
   */
  readonly proof: string | null
  /** The tokens of earlier sign-ins that it sends: unchecked, and never stored. */
  readonly knownBrowser: string | null
  /** The place in the line of sign-ins that was kept for this caller. */
  readonly place?: string | null
  /** The limit by address that counted it before the body was read. */
  readonly counted?: LimitName
  /** Whether the client has closed its connection. */
  readonly isGone?: () => boolean
}

interface ActingAgent {
  clientId: string
  grantId: string
  /** If it acts for another agent: itself, that agent, and so on to the one that the account has allowed. */
  actors?: readonly string[]
}

/** The user agent `unknown` is treated as none. */
function userAgentOf(raw: RawContext) {
  const text = displayText(raw.req.header('user-agent'), 512)
  return text === 'unknown' ? null : text
}

interface Signer {
  keyId: string
  proof: string | null
}

const signer = 'svc.signer'

export function noteSigner(raw: RawContext, signed: Signer) {
  raw.set(signer, signed)
}

const agent = 'svc.agent'

export function noteAgent(raw: RawContext, acting: ActingAgent) {
  raw.set(agent, acting)
}

const actor = 'svc.actor'

export function noteActor(raw: RawContext, userId: string) {
  raw.set(actor, userId)
}

const counted = 'svc.counted'

export function noteCounted(raw: RawContext, name: LimitName) {
  raw.set(counted, name)
}

export const placeOf = (raw: RawContext) => raw.req.header(placeHeader) ?? null

export function requestOrigin(raw: RawContext): RequestOrigin {
  const { keyId = null, proof = null } = raw.get<Signer>(signer) ?? {}
  const acting = raw.get<ActingAgent>(agent)
  const operator = raw.get<string>(actor)
  const limit = raw.get<LimitName>(counted)
  const tenant = findStanding(raw)?.auditDetails
  return {
    address: clientAddress(raw),
    userAgent: userAgentOf(raw),
    requestId: raw.requestId,
    keyId,
    proof,
    knownBrowser: raw.req.header(knownBrowserHeader) ?? null,
    place: placeOf(raw),
    isGone: () => raw.outgoing.destroyed,
    ...(acting && { agent: acting }),
    ...(operator && { actor: operator }),
    ...(tenant && { tenant }),
    ...(limit && { counted: limit }),
  }
}

export type AuditOutcome = 'done' | 'refused'

/**
 * The acts of the trail. The folder of each capability of ours adds those that it declares.
 * @public
 */
export interface DeclaredActs {
  core: (typeof coreActs)[number]
}

/** An entry of the audit trail: what was done, who did it, to what, and from where. */
export interface AuditEntry {
  /** What was done, such as `key.revoked`. */
  act: DeclaredActs[keyof DeclaredActs]
  outcome?: AuditOutcome
  /** The user who did it, if known. */
  actor?: string | null
  /** The user or the thing that it was done to. */
  target?: string | null
  /** Ids and names. Never a secret, and never what a user typed into a field for a secret. */
  details?: Record<string, unknown>
  origin?: RequestOrigin
  at: Date
}

/** Who did it, and from where: both are empty if an application's own code did it. */
export type Author = Pick<AuditEntry, 'actor' | 'origin'>
