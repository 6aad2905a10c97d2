import type { CallerReader } from '../../caller/caller.ts'
import type { Service } from '../../capability/capability.ts'
import type { AuthorizationServer } from '../authorization-server.ts'
import type { ClientKeys } from './client-keys.ts'

/** What gives agents their tokens stands on. */
export interface AgentService extends Service {
  /** Null where the application has none: then every route of it answers 404. */
  readonly authorizationServer: AuthorizationServer | null
  readonly clientKeys: ClientKeys
  /** Reads the device key that a grant is bound to. */
  readonly callers: CallerReader
  /** Told of each answer that a refresh token may be given again. */
  readonly successors: { kept(): void }
}

/** The part of it that a function uses. */
export type AgentNeeds<Part extends keyof AgentService> = Pick<AgentService, Part>
