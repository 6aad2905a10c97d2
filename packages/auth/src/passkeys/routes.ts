import { implement } from '../running/implement.ts'
import { answerSignIn } from '../sign-in/answer-sign-in.ts'
import { passkeyContract } from './contract.ts'
import { listPasskeys } from './list-passkeys.ts'
import { passkeyLoginOptions } from './passkey-login-options.ts'
import { passkeyLoginVerify } from './passkey-login-verify.ts'
import { passkeyRegisterOptions } from './passkey-register-options.ts'
import { passkeyRegisterVerify } from './passkey-register-verify.ts'
import { renamePasskey } from './rename-passkey.ts'
import { revokePasskey } from './revoke-passkey.ts'

export const passkeyRoutes = implement(passkeyContract, {
  passkeyRegisterOptions: ({ auth, caller }) => passkeyRegisterOptions(auth, caller),
  passkeyRegisterVerify: ({ auth, caller, body, origin }) =>
    passkeyRegisterVerify(auth, { caller, ...body, origin }),
  passkeyLoginOptions: ({ auth }) => passkeyLoginOptions(auth),
  passkeyLoginVerify: async ({ auth, body, origin, c }) =>
    answerSignIn(c, await passkeyLoginVerify(auth, body, origin)),
  listPasskeys: ({ auth, caller }) => listPasskeys(auth.db, caller.userId),
  renamePasskey: ({ auth, caller, body }) => renamePasskey(auth, { caller, ...body }),
  revokePasskey: ({ auth, caller, body, origin }) =>
    revokePasskey(auth, { caller, ...body, origin }),
})
