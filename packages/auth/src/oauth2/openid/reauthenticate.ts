import type { Caller } from '../../caller/caller.ts'
import { deriveKey, equal, keyedHash } from '../../crypto/crypto.ts'
import type { AgentService } from '../clients/clients.ts'
import type { AuthorizationFields } from '../contract.ts'
import { refused, type SignInRequest } from './sign-in-request.ts'

/**
 * Notes when the application has asked, in the address of the page that the user is sent to. Only a proof after that
 * time answers `prompt=login`, and the address alone must not be able to say when that was.
 */
export function stamped(
  auth: Pick<AgentService, 'env' | 'clock'>,
  fields: AuthorizationFields,
): AuthorizationFields {
  const millis = String(auth.clock.now().getTime())
  return { ...fields, asked_at: `${millis}.${sealOf(auth, fields, millis)}` }
}

/** Of one request: the time of another one, in which the user did prove it, must not count. */
function sealOf({ env }: Pick<AgentService, 'env'>, fields: AuthorizationFields, millis: string) {
  const { client_id, redirect_uri, state, nonce, code_challenge } = fields
  const key = deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'OpenID sign-in requests')
  return keyedHash(
    key,
    JSON.stringify([millis, client_id, redirect_uri, state, nonce, code_challenge]),
  )
}

// As long as the page keeps a request while the user signs in.
const longestMillis = 3_600_000

function askedAt(auth: Pick<AgentService, 'env' | 'clock'>, fields: AuthorizationFields) {
  const [millis = '', seal = ''] = fields.asked_at?.split('.') ?? []
  const isOurs = equal(seal, sealOf(auth, fields, millis))
  if (isOurs && auth.clock.now().getTime() - Number(millis) < longestMillis) return Number(millis)
  throw refused('invalid_request', 'The request has expired. Start again in the application.')
}

interface Asked {
  readonly request: SignInRequest
  readonly fields: AuthorizationFields
}

type Proofs = Pick<Caller, 'authenticatedAt' | 'secondFactorSince' | 'secondFactorProvedAt'>

/**
 * When the user has last proved who they are. If the account has a second factor, only a proof of that counts: an
 * attacker may know the password. Null if this device has given none.
 */
export function provedAt({ authenticatedAt, secondFactorSince, secondFactorProvedAt }: Proofs) {
  if (!secondFactorSince) return authenticatedAt
  const isOfFactor = secondFactorProvedAt && secondFactorProvedAt >= secondFactorSince
  return isOfFactor ? secondFactorProvedAt : null
}

/** Whether the user has proved who they are as lately as the application asks for. */
export function hasProved(
  auth: Pick<AgentService, 'env' | 'clock'>,
  caller: Proofs,
  { request: { prompts, maxAgeSeconds }, fields }: Asked,
) {
  if (!caller.authenticatedAt) return false
  const isAsked = prompts.has('login')
  if (!isAsked && maxAgeSeconds === null) return true
  const at = provedAt(caller)?.getTime() ?? 0
  if (at > askedAt(auth, fields)) return true
  const ageMillis = auth.clock.now().getTime() - at
  return !isAsked && ageMillis <= (maxAgeSeconds ?? 0) * 1000
}
