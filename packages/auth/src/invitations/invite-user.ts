import { ForbiddenError, type HandlerContext } from '@svc/core'
import { authOf } from '../auth.ts'
import { getAuth } from '../caller/context.ts'
import { requestOrigin } from '../caller/request-origin.ts'
import { asProvable } from '../fresh-proof/fresh-caller.ts'
import { createInvitation, type InvitationBody } from './create-invitation.ts'

/** What `createInvitation` does, for a route or a tool of the application: it invites as whoever the request is of. */
export async function inviteUser(c: Pick<HandlerContext, 'raw'>, body: InvitationBody) {
  const caller = getAuth(c.raw)
  // Of a program, nobody has asked so far: what its owner may do is not what it may do.
  if (!caller.permissions.includes('user:invite')) throw new ForbiddenError()
  const request = { caller: asProvable(caller), body, origin: requestOrigin(c.raw) }
  return createInvitation(authOf(c.raw.server), request)
}
