import { accountScenarios } from './account.ts'
import { administrationScenarios } from './administration.ts'
import { agentScenarios } from './agents.ts'
import { factorScenarios } from './factors.ts'
import { signInScenarios } from './sign-in.ts'
import type { Scenario } from './stage.ts'

/** Every operation that writes, by its name; a second way of it says after its name which. */
export const scenarios: Record<string, Scenario> = {
  ...signInScenarios,
  ...accountScenarios,
  ...factorScenarios,
  ...administrationScenarios,
  ...agentScenarios,
}

export const operationOf = (name: string) => name.split(' ')[0] ?? ''

const reads = 'reads'
const seals = 'what it hands out is sealed, and in no table'

/** Why an operation has no scenario. */
export const withoutScenario: Record<string, string> = {
  getAuthSession: reads,
  getSessionBinding: reads,
  getUserProfile: reads,
  listKeys: reads,
  listOAuth2Grants: reads,
  getOAuth2Grant: reads,
  listApprovals: reads,
  listPasskeys: reads,
  listSocialAccounts: reads,
  mfaStatus: reads,
  mfaStatusOfDevice: reads,
  listAuditEvents: reads,
  listStreams: reads,
  listJobQueues: reads,
  listJobs: reads,
  readJob: reads,
  listAgents: reads,
  listMachines: reads,
  readServerState: reads,
  listLimitHits: reads,
  listInvitations: reads,
  listRoles: reads,
  listUsers: reads,
  readUser: reads,
  checkUsername: reads,
  getInvitation: reads,
  providers: reads,
  confirmContactUndoLink: reads,
  confirmRevokeAllLink: reads,
  getOAuth2Authorize: reads,
  oauth2Introspect: reads,
  getGoogleOAuthUrl: seals,
  getProviderOAuthUrl: seals,
  redirectToProvider: seals,
  start: seals,
  linkSocialAccount: seals,
  endStream: 'what it ends is in no table, and its line of the trail is the only write',
}
