import { appPath, type Environment, integer } from '@svc/core'

export const passwordResetVariables = {
  SVC_AUTH_PASSWORD_RESET_LINK_TTL_MINUTES: integer({ initial: 30, min: 1 }),
  SVC_AUTH_PASSWORD_RESET_SETUP_TTL_MINUTES: integer({ initial: 15, min: 1 }),
  SVC_AUTH_PASSWORD_RESET_CONFIRM_PATH: appPath('/password/reset'),
}

export type PasswordResetEnv = Environment<typeof passwordResetVariables>
