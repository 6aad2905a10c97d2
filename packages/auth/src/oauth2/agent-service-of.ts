import type { Infrastructure } from '@svc/core'
import { heldOf, runningHeld } from '../auth.ts'
import type { AgentService } from '../oauth2-clients/agent-needs.ts'
import { oauth2Contract } from './contract.ts'

/** What gives agents their tokens, on the server that a request came to. */
export const agentServiceOf = (server: Infrastructure) =>
  heldOf(server, oauth2Contract) as AgentService

/** The same on the server of this process. */
export const runningAgentService = () => runningHeld(oauth2Contract) as AgentService
