import { mustChangePassword } from '../../authenticate/authenticate.ts'
import type { AccountRow, AccountWithStanding, Standing } from '../../caller/caller.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import type { AgentService } from '../clients/clients.ts'
import type { HeldToken, Holder } from './held-token.ts'
import { stillGiven } from './scopes.ts'

/** What an access token gives access to. */
export interface AccessToken {
  readonly userId: string
  readonly clientId: string
  readonly grantId: string
  /**
   * If it was exchanged (RFC 8693): its client, the client that it acts for, and so on to the one that the account has
   * allowed. Otherwise empty.
   */
  readonly actors: readonly string[]
  readonly resource: string
  readonly scopes: readonly string[]
  /** Those of the scopes that are permissions, and that the account has now. */
  readonly permissions: readonly string[]
  /**
   * The tenant that the grant belongs to, such as an organization, and those of the scopes that are permitted there now.
   * Null for a person's grant. Such a token has no permission outside of the tenant.
   */
  readonly tenant: Pick<Standing, 'id' | 'permissions'> | null
  readonly expiresAt: Date
  /** Whether it is worthless without a key that only its client has (RFC 9449). */
  readonly isBound: boolean
}

export const isOver = ({ token, grant }: HeldToken, now: Date) =>
  grant.state !== 'active' || token.expiresAt <= now

/** The application may have taken the identity provider off its list since, or the client off that one's. */
function isTrusted(auth: AgentService, { issuer, clientId, actors }: HeldToken['grant']) {
  if (issuer === null) return true
  // Below the grant that the identity provider has allowed, its client is the last one.
  const allowed = actors?.at(-1) ?? clientId
  return auth.identityProviders.trusted(issuer)?.clients.has(allowed) ?? false
}

/** The application may have taken one of the clients off its list since. The user has allowed the last one. */
const mayExchange = (auth: AgentService, { actors }: HeldToken['grant']) =>
  (actors ?? []).slice(0, -1).every((clientId) => auth.exchangeClients.has(clientId))

/** The account of a token, with what was chosen of its standing. Null if something has ended the token. */
export function liveHolder(auth: AgentService, found: HeldToken, row: Holder | null) {
  const { token, grant } = found
  const now = auth.clock.now()
  if (isOver(found, now) || !mayExchange(auth, grant) || !isTrusted(auth, grant)) return null
  if (row?.userId !== grant.userId || row.generation !== grant.generation) return null
  if (row.status !== 'active' || mustChangePassword(auth, row)) return null
  // The tenant is closed, or the account does not belong to it any more.
  if (grant.tenant !== null && !row.standing?.isProgram) return null
  const isDeviceLive =
    row.keyExpiresAt === undefined || (row.state === 'active' && row.keyExpiresAt > now)
  if (!isDeviceLive) return null
  return { ...row, standing: row.standing ? chosenOf(auth, token, row.standing) : null }
}

const scopesOf = (auth: AgentService, { scopes }: HeldToken['token']) =>
  stillGiven(authorizationServerOf(auth), scopes)

/** What the scopes name of a standing: nothing else was chosen for the agent. */
function chosenOf(auth: AgentService, token: HeldToken['token'], standing: Standing): Standing {
  const scopes = scopesOf(auth, token)
  const permissions = standing.permissions.filter((name) => scopes.includes(name))
  return { ...standing, permissions }
}

export function accessOf(
  auth: AgentService,
  { token, grant }: HeldToken,
  { standing, ...account }: AccountRow & Pick<AccountWithStanding, 'standing'>,
): AccessToken {
  const { userId, clientId, grantId, resource } = grant
  const actors = grant.actors ?? []
  const { expiresAt } = token
  const scopes = scopesOf(auth, token)
  const isBound = grant.keyThumbprint !== null
  const granted = { userId, clientId, grantId, actors, resource, scopes, expiresAt, isBound }
  if (grant.tenant !== null && standing) {
    const { id, permissions } = standing
    return { ...granted, permissions: [], tenant: { id, permissions } }
  }
  const permissions = account.permissions.filter((name) => scopes.includes(name))
  return { ...granted, permissions, tenant: null }
}
