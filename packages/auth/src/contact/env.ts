import { appPath, type Environment } from '@svc/core'

export const contactVariables = {
  SVC_AUTH_CONTACT_UNDO_CONFIRM_PATH: appPath('/account/undo'),
}

export type ContactEnv = Environment<typeof contactVariables>
