import { appPath, type Environment, integer } from '@svc/core'

export const peopleVariables = {
  /** So long the owner can keep a second factor that an operator wants to remove. */
  SVC_AUTH_FACTOR_REMOVAL_HOURS: integer({ initial: 24, min: 1, max: 720 }),
  SVC_AUTH_FACTOR_REMOVAL_STOP_PATH: appPath('/account/keep-factor'),
}

export type PeopleEnv = Environment<typeof peopleVariables>
