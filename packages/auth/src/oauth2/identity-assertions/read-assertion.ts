import { decodeJwt, type JWTPayload } from 'jose'
import { isProviderUserId } from '../../providers/providers.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import {
  type AgentService,
  idJagType,
  signedClaims,
  spendableId,
  type TrustedProvider,
} from '../clients/clients.ts'
import type { TokenRequest } from '../grants/grants.ts'

/** What an identity provider has asserted: who a client acts for, and what it may do. */
export interface Assertion {
  readonly issuer: string
  readonly provider: TrustedProvider
  readonly subject: string
  /** Null if it says nothing of them. */
  readonly scope: string | null
  readonly resources: readonly string[] | null
  readonly spendable: NonNullable<ReturnType<typeof spendableId>>
}

/**
 * Reads an assertion (ID-JAG) that a trusted identity provider has signed, recently, for this server and for the client
 * that sends it. Otherwise null. It may have been used before.
 */
export async function readAssertion(
  auth: AgentService,
  { client, key }: TokenRequest,
  jwt: string,
): Promise<Assertion | null> {
  const { clientId } = client
  const issuer = claimedIssuer(jwt)
  const provider = issuer === null ? null : auth.identityProviders.trusted(issuer)
  if (issuer === null || !provider?.clients.has(clientId)) return null
  const { declared } = provider
  const signer = { declared, keys: auth.identityProviders, name: 'identity provider' as const }
  const claims = await signedClaims(auth, {
    jwt,
    issuer,
    type: idJagType,
    claims: ['sub', 'iat', 'client_id'],
    signer,
  })
  if (!claims || !isForThisServer(auth, claims.aud) || claims['client_id'] !== clientId) return null
  if (saysMore(claims) || !isShownBy(claims['cnf'], key)) return null
  const { sub: subject } = claims
  const spendable = spendableId(auth, 'id-jag', claims)
  const scope = scopeOf(claims)
  const resources = resourcesOf(claims)
  if (!isProviderUserId(subject) || !spendable) return null
  if (scope === undefined || resources === undefined) return null
  return { issuer, provider, subject, scope, resources, spendable }
}

/** The identity provider that an assertion claims to be from: nothing of it is verified yet. */
function claimedIssuer(jwt: string) {
  try {
    const { iss } = decodeJwt(jwt)
    return typeof iss === 'string' ? iss : null
  } catch {
    return null
  }
}

/** This server alone, as a text or as the only element of a list (section 4.4.1 of the draft). */
function isForThisServer(auth: AgentService, aud: JWTPayload['aud']) {
  const audiences = Array.isArray(aud) ? aud : [aud]
  return audiences.length === 1 && audiences[0] === authorizationServerOf(auth).issuer
}

/**
 * Without these, another user could be meant, or less access than the scopes give: the same subject can be in two tenants
 * of the identity provider.
 */
const saysMore = (claims: JWTPayload) =>
  ['tenant', 'aud_tenant', 'authorization_details'].some((name) => claims[name] !== undefined)

/** An assertion that is bound to a key needs its proof. One that is bound by other means can't be used here. */
function isShownBy(cnf: unknown, key: TokenRequest['key']) {
  if (cnf === undefined) return true
  if (typeof cnf !== 'object' || cnf === null || !('jkt' in cnf)) return false
  return Object.keys(cnf).length === 1 && key !== null && cnf.jkt === key.thumbprint
}

/** Undefined if it is malformed. */
function scopeOf({ scope = null }: JWTPayload) {
  return scope === null || typeof scope === 'string' ? scope : undefined
}

/** One or several, as texts. Undefined if it is malformed. */
function resourcesOf({ resource }: JWTPayload) {
  if (resource === undefined) return null
  const all: unknown[] = Array.isArray(resource) ? resource : [resource]
  const texts = all.filter((each) => typeof each === 'string')
  return texts.length === all.length ? texts : undefined
}
