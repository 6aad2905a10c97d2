import type { AuthorizationServer } from '../authorization-server/options.ts'
import { isProviderAddress } from '../openid/provider-address.ts'

/** Where a document about a client is: its id, and nothing but it. */
export interface DocumentAddress {
  readonly clientId: string
  /** The operator has named its host. */
  readonly isNamed: boolean
}

/** Null where the id is no such address, or documents are not read from there. */
export function documentAddress(
  { clientDocuments }: AuthorizationServer,
  clientId: string,
): DocumentAddress | null {
  const url = clientDocuments === 'off' ? null : parseClientId(clientId)
  if (!url || clientDocuments === 'off') return null
  if (clientDocuments !== 'anywhere') {
    return clientDocuments.hosts.includes(url.host) ? { clientId, isNamed: true } : null
  }
  return url.protocol === 'https:' && url.port === '' ? { clientId, isNamed: false } : null
}

/**
 * With a path, so that who has a place on a host does not speak for all of it; without a query, which one document could
 * have any number of; and in its normal form, so that one document has one id.
 */
function parseClientId(clientId: string) {
  const url = clientId.length <= 2048 ? URL.parse(clientId) : null
  if (url?.href !== clientId || url.pathname === '/' || /[?#]/.test(clientId)) return null
  return isProviderAddress(clientId) ? url : null
}

/** Where a document says that its client's keys are, and whether the operator has named that host. */
export function keysAddress({ clientDocuments }: AuthorizationServer, jwksUri: string) {
  if (!isProviderAddress(jwksUri)) return null
  const url = new URL(jwksUri)
  const hosts = typeof clientDocuments === 'string' ? [] : clientDocuments.hosts
  return { url, isNamed: hosts.includes(url.host) }
}
