import { whenConfigured } from '../authorization-server/configured.ts'
import { inOAuthWords } from '../authorization-server/in-oauth-words.ts'
import { implement } from '../running/implement.ts'
import { describeRequest, passOn } from './authorize.ts'
import { oauth2Contract } from './contract.ts'
import { decide } from './decide.ts'
import { listGrants, revokeGrant } from './grants.ts'
import { revokeToken } from './revoke-token.ts'
import { tokensFor } from './token.ts'

const { oauth2Token, oauth2Revoke, ...ofPeople } = oauth2Contract

const ofClients = implement(
  { oauth2Token, oauth2Revoke },
  {
    oauth2Token: ({ auth, form, origin, c }) => tokensFor(auth, { raw: c.raw, form, origin }),
    oauth2Revoke: ({ auth, form, origin, c }) => revokeToken(auth, { raw: c.raw, form, origin }),
  },
  { first: [whenConfigured, inOAuthWords] },
)

/** The consent page tells a session that has ended, and a factor to prove, from a request that is wrong. */
const ofOurPages = implement(
  ofPeople,
  {
    getOAuth2Authorize: async ({ auth, caller, query: fields, origin, c }) => {
      const asked = { raw: c.raw, fields, origin }
      if (caller) return describeRequest(auth, asked)
      // A redirect has no body: what the operation declares is for who signs.
      return c.json(null as never, 302, { location: await passOn(auth, asked) })
    },
    createOAuth2AuthorizationCode: ({ auth, caller, body: fields, origin, c }) =>
      decide(auth, { caller, fields, raw: c.raw, origin }),
    listOAuth2Grants: ({ auth, caller }) => listGrants(auth, caller),
    revokeOAuth2Grant: ({ auth, caller, params, origin }) =>
      revokeGrant(auth, { caller, ...params, origin }),
  },
  { first: [whenConfigured] },
)

export const oauth2Routes = { ...ofOurPages, ...ofClients }
