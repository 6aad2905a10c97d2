import { defineCapability } from '../capability/capability.ts'
import { answerSignIn } from '../sign-in/sign-in.ts'
import { passkeyActs } from './acts.ts'
import { passkeyContract } from './contract.ts'
import { passkeyLoginOptions, passkeyLoginVerify } from './passkey-login.ts'
import { passkeyRegisterOptions, passkeyRegisterVerify } from './passkey-register.ts'
import { renamePasskey, revokePasskey } from './passkey-settings.ts'
import { dropPasskeysSince, listPasskeys, markedPasskeysOf, signingPasskeysOf } from './passkeys.ts'
import { passkeyChallenges, passkeys } from './schema.ts'
import {
  exportPasskeys,
  forgetChallenges,
  forgetEveryChallenge,
  forgetPasskeysOf,
} from './store.ts'

export const passkeyCapability = defineCapability(passkeyContract, {
  audit: passkeyActs,
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
    dropDoubted: (tx, doubted, auth) => dropPasskeysSince(tx, auth, doubted),
    waysIn: async (tx, { userId }) => ((await signingPasskeysOf(tx, userId)).length > 0 ? 1 : 0),
    secondFactors: async (db, userId) =>
      (await markedPasskeysOf(db, userId)).length > 0 ? ['passkey'] : [],
  },
})
