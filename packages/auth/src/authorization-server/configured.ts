import { NotFoundError } from '@svc/core'
import type { AuthorizationServer } from './options.ts'

/** Whether there is one is the application's choice. */
export interface Configured {
  readonly authorizationServer: AuthorizationServer | null
}

/** The authorization server, where the application has one. Without it there is nothing here, as anywhere else. */
export function authorizationServerOf({ authorizationServer }: Configured): AuthorizationServer {
  if (!authorizationServer) throw new NotFoundError({ resource: 'Route' })
  return authorizationServer
}
