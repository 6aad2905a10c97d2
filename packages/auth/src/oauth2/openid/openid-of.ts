import { NotFoundError, type RawContext } from '@svc/core'
import { agentServiceOf } from '../verify-access-token.ts'

/** The service of a server where applications sign users in. */
export type OpenIdService = ReturnType<typeof openidOf>

/** Elsewhere, the usual 404. */
export function openidOf(raw: RawContext) {
  const auth = agentServiceOf(raw.server)
  const { openid } = auth
  if (!openid) throw new NotFoundError({ resource: 'Route' })
  return { ...auth, openid }
}
