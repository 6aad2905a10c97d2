import { defineCapability } from '../capability/capability.ts'
import { answerSignIn } from '../sign-in/answer-sign-in.ts'
import { passkeyContract } from './contract.ts'
import { exportPasskeys } from './export-passkeys.ts'
import { forgetChallenges, forgetEveryChallenge, forgetPasskeysOf } from './forget-passkeys.ts'
import { listPasskeys } from './list-passkeys.ts'
import { markedPasskeysOf } from './marked-passkeys.ts'
import { passkeyLoginOptions } from './passkey-login-options.ts'
import { passkeyLoginVerify } from './passkey-login-verify.ts'
import { passkeyRegisterOptions } from './passkey-register-options.ts'
import { passkeyRegisterVerify } from './passkey-register-verify.ts'
import { renamePasskey } from './rename-passkey.ts'
import { revokePasskey } from './revoke-passkey.ts'
import { passkeyChallenges, passkeys } from './schema.ts'
import { signingPasskeysOf } from './signing-passkeys.ts'

export const passkeyCapability = defineCapability(passkeyContract, {
  tables: { passkeyChallenges, passkeys },
  handlers: {
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
  },
  account: {
    export: { passkeys: (db, { userId }) => exportPasskeys(db, userId) },
    sweep: forgetChallenges,
    forget: (tx, { userId }) => forgetPasskeysOf(tx, userId),
    endUnderWay: async (db) => ({ signIns: await forgetEveryChallenge(db) }),
    waysIn: async (tx, { userId }) => ((await signingPasskeysOf(tx, userId)).length > 0 ? 1 : 0),
    secondFactors: async (db, userId) =>
      (await markedPasskeysOf(db, userId)).length > 0 ? ['passkey'] : [],
  },
})
