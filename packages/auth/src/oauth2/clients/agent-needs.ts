import type {
  AccountReader,
  CallerReader,
  LockedAccountReader,
  OwnerReader,
} from '../../caller/caller.ts'
import type { Service } from '../../capability/capability.ts'
import type { JwtResources } from '../access-tokens/access-tokens.ts'
import type { AuthorizationServer } from '../authorization-server.ts'
import type { Budgets } from '../budgets.ts'
import type { SigningKeys } from '../id-tokens/id-tokens.ts'
import type { ClientKeys } from './client-keys.ts'
import type { ConfiguredClients } from './configured-clients.ts'
import type { ExchangeClients } from './exchange-clients.ts'
import type { IdentityProviders } from './identity-providers.ts'
import type { ResourceServers } from './resource-servers.ts'

/** What issues tokens to agents, and what it needs. */
export interface AgentService extends Service {
  /** Null if the application has none: then each of its routes answers 404. */
  readonly authorizationServer: AuthorizationServer | null
  readonly clientKeys: ClientKeys
  readonly resourceServers: ResourceServers
  readonly exchangeClients: ExchangeClients
  readonly identityProviders: IdentityProviders
  /** Counts what agents do. */
  readonly budgets: Budgets
  /** Null unless other applications can sign users in here. */
  readonly openid: { readonly clients: ConfiguredClients; readonly keys: SigningKeys } | null
  /** Null unless this server signs tokens that others check. */
  readonly signingKeys: SigningKeys | null
  /** Those whose access tokens are JWTs. */
  readonly jwtResources: JwtResources
  /** Reads the device key that a grant is bound to. */
  readonly callers: CallerReader
  /** Reads the account of a grant that is bound to none. */
  readonly accounts: AccountReader
  /** The same, for a token that is being issued. */
  readonly lockedAccounts: LockedAccountReader
  /** Reads a token together with all that can end it. */
  readonly owners: OwnerReader
  /** Notified of each response that is stored to repeat it for a spent refresh token. */
  readonly successors: { kept(): void }
}

/** The part of it that a function uses. */
export type AgentNeeds<Part extends keyof AgentService> = Pick<AgentService, Part>
