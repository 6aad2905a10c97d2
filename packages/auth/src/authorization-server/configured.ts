import { defineMiddleware, NotFoundError } from '@svc/core'
import { type Auth, authOf } from '../auth.ts'
import type { AuthorizationServer } from './options.ts'

/** The authorization server, where the application has one. Without it there is nothing here, as anywhere else. */
export function authorizationServerOf({
  authorizationServer,
}: Pick<Auth, 'authorizationServer'>): AuthorizationServer {
  if (!authorizationServer) throw new NotFoundError({ resource: 'Route' })
  return authorizationServer
}

/** Comes before everything: who asks without a credential is not told either that there could be something. */
export const whenConfigured = defineMiddleware(
  'oauth2-configured',
  (c, next) => {
    authorizationServerOf(authOf(c.server))
    return next()
  },
  {
    documents: {
      requires: 'It is there where an authorization server is configured.',
      errors: [NotFoundError],
    },
  },
)
