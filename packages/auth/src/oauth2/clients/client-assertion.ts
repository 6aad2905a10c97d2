import { decodeJwt, errors, type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose'
import { hashToken } from '../../crypto/crypto.ts'
import { spendId } from '../../once/once.ts'
import { ProviderUnavailableError } from '../../providers/providers.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import { OAuth2Error } from '../errors.ts'
import type { AgentNeeds, AgentService } from './agent-needs.ts'
import {
  assertionAlgorithms,
  type DeclaredKeys,
  declaredKeys,
  type KeyFinder,
} from './client-keys.ts'
import { findClient, type OAuth2Client } from './find-client.ts'

interface Shown {
  readonly clientId: string
  readonly assertion: string
}

/**
 * The client that has signed an assertion for this server, recently and for the first time (RFC
 * 7523). Otherwise null.
 */
export async function clientOfAssertion(
  auth: AgentService,
  { address, ...shown }: Shown & { readonly address: string | null },
): Promise<OAuth2Client | null> {
  const client = await findClient(auth, shown.clientId, address, { withKeys: true })
  const declared = client && keysOf(auth, client)
  // The operator has named the address of a configured client's keys, which may be inside the network.
  const keys = client?.source === 'configuration' ? auth.resourceServers : auth.clientKeys
  const holds = declared && (await spendAssertion(auth, shown, { declared, keys }))
  return holds ? client : null
}

/** The same for the server of a resource, whose id is the resource. */
export async function isOfResourceServer(auth: AgentService, shown: Shown): Promise<boolean> {
  const declared = auth.resourceServers.declaredBy(shown.clientId)
  return declared !== null && spendAssertion(auth, shown, { declared, keys: auth.resourceServers })
}

interface Signer {
  readonly declared: DeclaredKeys
  readonly keys: KeyFinder
}

async function spendAssertion(auth: AgentService, shown: Shown, signer: Signer) {
  const spendable = await readAssertion(auth, shown, signer)
  // Last: an invalid assertion must not spend the id of a valid one.
  return spendable !== null && (await spendId(auth, spendable))
}

/** A registered client has its keys in its row, and is public if it has none. */
function keysOf({ clientKeys }: AgentNeeds<'clientKeys'>, client: OAuth2Client) {
  if (client.source === 'document') return clientKeys.declaredBy(client.clientId)
  return client.declaredKeys && declaredKeys(client.declaredKeys)
}

/** The client that an assertion claims to be from: nothing of it is verified yet. */
export function claimedClient(assertion: string): string | null {
  try {
    const { sub } = decodeJwt(assertion)
    return typeof sub === 'string' ? sub : null
  } catch {
    return null
  }
}

const longestLifeSeconds = 300
// How far apart the clocks of the client and of this server may be.
const skewSeconds = 30

async function readAssertion(auth: AgentService, { clientId, assertion }: Shown, signer: Signer) {
  const now = auth.clock.now()
  const claims = await signedClaims(auth, { clientId, assertion, now, signer })
  if (!claims || !isForThisServer(auth, claims.aud)) return null
  const { exp = 0, iat = exp - longestLifeSeconds, jti } = claims
  const isRecent = iat <= now.getTime() / 1000 + skewSeconds
  // Without the type check, a value of another type would compare as `NaN` and pass.
  if (typeof iat !== 'number' || !isRecent || exp - iat > longestLifeSeconds) return null
  if (typeof jti !== 'string' || jti === '' || jti.length > 256) return null
  return {
    // Hashed, because a client's id may have any length and any character.
    id: `client-assertion:${hashToken(JSON.stringify([clientId, jti]))}`,
    issuedAt: new Date(iat * 1000),
    expiresAt: new Date((exp + skewSeconds) * 1000),
  }
}

interface Signed extends Shown {
  readonly now: Date
  readonly signer: Signer
}

async function signedClaims(
  auth: AgentService,
  { clientId, assertion, now, signer }: Signed,
): Promise<JWTPayload | null> {
  try {
    const keyFor = (header: JWTHeaderParameters) => findKey(auth, signer, header)
    const { payload } = await jwtVerify(assertion, keyFor, {
      algorithms: [...assertionAlgorithms],
      // The subject is where the id was read from.
      issuer: clientId,
      requiredClaims: ['aud', 'exp', 'jti'],
      currentDate: now,
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
  { declared, keys }: Signer,
  { kid, alg }: JWTHeaderParameters,
) {
  const algorithm = assertionAlgorithms.find((each) => each === alg)
  if (!algorithm) throw new errors.JOSEAlgNotAllowed()
  try {
    const key = await keys.find(declared, { kid, alg: algorithm })
    if (key) return key
  } catch (error) {
    if (!(error instanceof ProviderUnavailableError)) throw error
    log.info({ reason: error.message }, 'the keys of a client cannot be read')
    throw unreadable()
  }
  throw new errors.JWKSNoMatchingKey()
}

/**
 * One error both for an address that is down and for one that may not be called: it must not reveal
 * what is inside the network.
 */
function unreadable() {
  return new OAuth2Error({
    error: 'temporarily_unavailable',
    message: 'The keys of the client cannot be read at the moment. Try again later.',
  })
}

/** If it was for other servers too, any of them could send it here. */
function isForThisServer(auth: AgentService, aud: JWTPayload['aud']) {
  const { issuer } = authorizationServerOf(auth)
  const ours = [issuer, `${issuer}/_auth/oauth2/token`]
  const audiences = typeof aud === 'string' ? [aud] : (aud ?? [])
  return audiences.length > 0 && audiences.every((audience) => ours.includes(audience))
}
