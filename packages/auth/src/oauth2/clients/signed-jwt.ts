import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose'
import { hashToken } from '../../crypto/crypto.ts'
import { ProviderUnavailableError } from '../../providers/providers.ts'
import { OAuth2Error } from '../errors.ts'
import type { AgentNeeds } from './agent-needs.ts'
import { assertionAlgorithms, type DeclaredKeys, type KeyFinder } from './client-keys.ts'

/** Whose keys sign. */
export interface Signer {
  readonly declared: DeclaredKeys
  readonly keys: KeyFinder
  /** As the refusal names it. */
  readonly name: 'client' | 'identity provider'
}

/** The type of an assertion with which an identity provider lets a client act for a user. */
export const idJagType = 'oauth-id-jag+jwt'

const longestLifeSeconds = 300
// How far apart the clocks of the signer and of this server may be.
const skewSeconds = 30

interface Signed {
  readonly jwt: string
  readonly issuer: string
  /** The type that its header must have. Unless set, any that is no other kind of assertion. */
  readonly type?: string
  readonly claims: string[]
  readonly signer: Signer
}

/** The claims of a JWT that the signer has signed, and that has not expired. Otherwise null. */
export async function signedClaims(
  { clock, log }: AgentNeeds<'clock' | 'log'>,
  { jwt, issuer, type, claims, signer }: Signed,
): Promise<JWTPayload | null> {
  const keyFor = (header: JWTHeaderParameters) => {
    // Its issuer could be the address of a client's document.
    if (type === undefined && String(header.typ).toLowerCase().endsWith(idJagType)) {
      throw new errors.JWTInvalid('another kind of assertion')
    }
    return findKey({ log }, signer, header)
  }
  try {
    const { payload } = await jwtVerify(jwt, keyFor, {
      algorithms: [...assertionAlgorithms],
      issuer,
      ...(type !== undefined && { typ: type }),
      requiredClaims: ['aud', 'exp', 'jti', ...claims],
      currentDate: clock.now(),
      clockTolerance: skewSeconds,
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

async function findKey(
  { log }: AgentNeeds<'log'>,
  { declared, keys, name }: Signer,
  { kid, alg }: JWTHeaderParameters,
) {
  const algorithm = assertionAlgorithms.find((each) => each === alg)
  if (!algorithm) throw new errors.JOSEAlgNotAllowed()
  try {
    const key = await keys.find(declared, { kid, alg: algorithm })
    if (key) return key
  } catch (error) {
    if (!(error instanceof ProviderUnavailableError)) throw error
    log.info({ signer: name, reason: error.message }, 'the keys of a signer cannot be read')
    throw unreadable(name)
  }
  throw new errors.JWKSNoMatchingKey()
}

/**
 * One error both for an address that is down and for one that may not be called: it must not reveal
 * what is inside the network.
 */
function unreadable(name: Signer['name']) {
  return new OAuth2Error({
    error: 'temporarily_unavailable',
    message: `The keys of the ${name} cannot be read at the moment. Try again later.`,
  })
}

/** What to spend of an assertion that is short-lived, recent and has an id. Otherwise null. */
export function spendableId(
  { clock }: AgentNeeds<'clock'>,
  kind: string,
  { iss, jti, exp = 0, iat = exp - longestLifeSeconds }: JWTPayload,
) {
  const isRecent = iat <= clock.now().getTime() / 1000 + skewSeconds
  // Without the type check, a value of another type would compare as `NaN` and pass.
  if (typeof iat !== 'number' || !isRecent || exp - iat > longestLifeSeconds) return null
  if (typeof jti !== 'string' || jti === '' || jti.length > 256) return null
  return {
    // Hashed, because the id of a signer may have any length and any character.
    id: `${kind}:${hashToken(JSON.stringify([iss, jti]))}`,
    issuedAt: new Date(iat * 1000),
    expiresAt: new Date((exp + skewSeconds) * 1000),
  }
}
