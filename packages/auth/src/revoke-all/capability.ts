import { defineCapability } from '../capability/capability.ts'
import { revokeAllContract } from './contract.ts'
import { revokeAllKeys } from './revoke-all-keys.ts'
import { confirmRevokeAllLink, consumeRevokeAllLink } from './revoke-all-link.ts'
import { sendRevokeAllLink } from './send-revoke-all-link.ts'
import { revokeAllTokenPurge } from './token-purge.ts'

export const revokeAllCapability = defineCapability(revokeAllContract, {
  jobs: { revokeAllTokenPurge },
  linkMails: { revoke_all: sendRevokeAllLink },
  handlers: {
    revokeAllKeys: ({ auth, caller, body, origin }) =>
      revokeAllKeys(auth, { caller, ...body, origin }),
    confirmRevokeAllLink: ({ auth, body }) => confirmRevokeAllLink(auth, body.token),
    consumeRevokeAllLink: ({ auth, body, origin }) =>
      consumeRevokeAllLink(auth, body.token, origin),
  },
})
