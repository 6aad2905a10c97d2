import { appPath, type Environment } from '@svc/core'

export const deletionVariables = {
  SVC_AUTH_RESTORE_PATH: appPath('/restore'),
}

export type DeletionEnv = Environment<typeof deletionVariables>
