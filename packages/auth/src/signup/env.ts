import { appPath, type Environment, integer } from '@svc/core'

export const signupVariables = {
  SVC_AUTH_SIGN_IN_PATH: appPath('/login'),
  SVC_AUTH_SIGNUP_LINK_TTL_MINUTES: integer({ initial: 30, min: 1 }),
  SVC_AUTH_SIGNUP_SETUP_TTL_MINUTES: integer({ initial: 15, min: 1 }),
  SVC_AUTH_SIGNUP_CONFIRM_PATH: appPath('/signup/confirm'),
}

export type SignupEnv = Environment<typeof signupVariables>
