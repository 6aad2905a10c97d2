import { defineCapability } from '../capability/capability.ts'
import { revokeAllActs } from './acts.ts'
import { revokeAllContract } from './contract.ts'
import { revokeAllVariables } from './env.ts'
import {
  confirmRevokeAllLink,
  consumeRevokeAllLink,
  revokeAllKeys,
  revokeAllTokenPurge,
  sendRevokeAllLink,
} from './revoke-all.ts'

export const revokeAllCapability = defineCapability(revokeAllContract, {
  audit: revokeAllActs,
  env: revokeAllVariables,
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
