import { ofAccounts } from './of-accounts.ts'
import { ofApprovals } from './of-approvals.ts'
import { ofBudgets } from './of-budgets.ts'
import { ofDeviceGrant } from './of-device-grant.ts'
import { ofEndpoints } from './of-endpoints.ts'
import { ofIdentityAssertions } from './of-identity-assertions.ts'
import { ofJwtAccessTokens } from './of-jwt-access-tokens.ts'
import { ofKeys } from './of-keys.ts'
import { ofLogout } from './of-logout.ts'
import { ofMessageSignatures } from './of-message-signatures.ts'
import { ofOpenid } from './of-openid.ts'
import { ofOrganizations } from './of-organizations.ts'
import { ofProofs } from './of-proofs.ts'
import { ofReplay } from './of-replay.ts'
import { ofStrangers } from './of-strangers.ts'
import { ofStreams } from './of-streams.ts'
import { ofTasks } from './of-tasks.ts'

export const mutations = [
  ...ofKeys,
  ...ofAccounts,
  ...ofProofs,
  ...ofReplay,
  ...ofStrangers,
  ...ofStreams,
  ...ofOrganizations,
  ...ofApprovals,
  ...ofBudgets,
  ...ofEndpoints,
  ...ofTasks,
  ...ofDeviceGrant,
  ...ofOpenid,
  ...ofJwtAccessTokens,
  ...ofMessageSignatures,
  ...ofIdentityAssertions,
  ...ofLogout,
]
