import type { RawContext } from '@svc/core'
import type { Caller, ProvableCaller, RequestOrigin } from '../caller/caller.ts'
import type { AgentService } from './clients/clients.ts'
import type { AuthorizationFields } from './contract.ts'
import { decide, describeRequest, passOn } from './grants/grants.ts'
import { decideSignIn, describeSignIn, isSignIn, passOnSignIn } from './openid/openid.ts'

// One endpoint for two things: an agent asks to act for a user, an application asks who the user is. A client does
// one of them, and the configuration says which.

interface Asked {
  raw: RawContext
  fields: AuthorizationFields
  origin: RequestOrigin
}

/** What the page of the web app shows. */
export const describe = (auth: AgentService, asked: Asked & { caller: Caller }) =>
  isSignIn(auth, asked.fields) ? describeSignIn(auth, asked) : describeRequest(auth, asked)

/** Where a browser goes that a client has sent. */
export const redirect = (auth: AgentService, asked: Asked) =>
  isSignIn(auth, asked.fields) ? passOnSignIn(auth, asked) : passOn(auth, asked)

interface Decision extends Asked {
  caller: ProvableCaller
  fields: AuthorizationFields & { decision: 'allow' | 'deny'; owner?: string | undefined }
}

/** What the user has decided on that page. */
export const answer = (auth: AgentService, decision: Decision) =>
  isSignIn(auth, decision.fields) ? decideSignIn(auth, decision) : decide(auth, decision)
