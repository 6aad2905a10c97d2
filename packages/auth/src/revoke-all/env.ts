import { appPath, type Environment, integer } from '@svc/core'

export const revokeAllVariables = {
  SVC_AUTH_REVOKE_ALL_LINK_TTL_MINUTES: integer({ initial: 30, min: 1 }),
  SVC_AUTH_REVOKE_ALL_CONFIRM_PATH: appPath('/account/revoke-all'),
}

export type RevokeAllEnv = Environment<typeof revokeAllVariables>
