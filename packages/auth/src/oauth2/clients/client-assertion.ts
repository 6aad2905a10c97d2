import { decodeJwt, type JWTPayload } from 'jose'
import { spendId } from '../../once/once.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import type { AgentNeeds, AgentService } from './agent-needs.ts'
import { declaredKeys } from './client-keys.ts'
import { findClient, type OAuth2Client } from './find-client.ts'
import { type Signer, signedClaims, spendableId } from './signed-jwt.ts'

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
  const holds = declared && (await spendAssertion(auth, shown, { declared, keys, name: 'client' }))
  return holds ? client : null
}

/** The same for the server of a resource, whose id is the resource. */
export async function isOfResourceServer(auth: AgentService, shown: Shown): Promise<boolean> {
  const declared = auth.resourceServers.declaredBy(shown.clientId)
  const keys = auth.resourceServers
  return declared !== null && spendAssertion(auth, shown, { declared, keys, name: 'client' })
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

async function readAssertion(auth: AgentService, { clientId, assertion }: Shown, signer: Signer) {
  // The subject is where the id was read from.
  const given = { jwt: assertion, issuer: clientId, claims: [], signer }
  const claims = await signedClaims(auth, given)
  return claims && isForThisServer(auth, claims.aud)
    ? spendableId(auth, 'client-assertion', claims)
    : null
}

/** If it was for other servers too, any of them could send it here. */
function isForThisServer(auth: AgentService, aud: JWTPayload['aud']) {
  const { issuer } = authorizationServerOf(auth)
  const ours = [issuer, `${issuer}/_auth/oauth2/token`]
  const audiences = typeof aud === 'string' ? [aud] : (aud ?? [])
  return audiences.length > 0 && audiences.every((audience) => ours.includes(audience))
}
