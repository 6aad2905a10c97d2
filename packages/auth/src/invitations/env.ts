import { appPath, type Environment } from '@svc/core'

export const invitationVariables = {
  SVC_AUTH_INVITATION_CONFIRM_PATH: appPath('/invitation'),
}

export type InvitationEnv = Environment<typeof invitationVariables>
