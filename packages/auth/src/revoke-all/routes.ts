import { implement } from '../running/implement.ts'
import { revokeAllContract } from './contract.ts'
import { revokeAllKeys } from './revoke-all-keys.ts'
import { confirmRevokeAllLink, consumeRevokeAllLink } from './revoke-all-link.ts'

export const revokeAllRoutes = implement(revokeAllContract, {
  revokeAllKeys: ({ auth, caller, body, origin }) =>
    revokeAllKeys(auth, { caller, ...body, origin }),
  confirmRevokeAllLink: ({ auth, body }) => confirmRevokeAllLink(auth, body.token),
  consumeRevokeAllLink: ({ auth, body, origin }) => consumeRevokeAllLink(auth, body.token, origin),
})
