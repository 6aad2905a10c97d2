import { defineCapability } from '../capability/capability.ts'
import { deleteEveryChallenge } from '../sign-in/sign-in.ts'
import { mfaActs } from './acts.ts'
import { mfaContract } from './contract.ts'
import {
  exportSecondFactor,
  forgetFactorsOf,
  forgetUnfinished,
  mfaDisable,
  mfaStatus,
  removeFactorsSince,
} from './mfa.ts'
import { mfaMarkPasskey, mfaStepUpOptions, mfaVerifyOptions } from './mfa-passkey.ts'
import { mfaStepUp } from './mfa-step-up.ts'
import { mfaTotpConfirm, mfaTotpEnroll, readIssuer } from './mfa-totp.ts'
import { mfaVerify } from './mfa-verify.ts'
import { deleteRecoveryCodes, mfaRegenerateRecoveryCodes } from './recovery-codes.ts'
import { recoveryCodes, totpSecrets } from './schema.ts'
import { hasConfirmedTotp } from './totp-store.ts'

export const mfaCapability = defineCapability(mfaContract, {
  audit: mfaActs,
  tables: { recoveryCodes, totpSecrets },
  check: (source) => void readIssuer(source),
  open: ({ source }) => ({ issuer: readIssuer(source) }),
  handlers: {
    mfaStatus: ({ auth, caller }) => mfaStatus(auth.db, caller.userId),
    mfaStatusOfDevice: ({ auth, caller }) => mfaStatus(auth.db, caller.userId),
    mfaTotpEnroll: ({ auth, caller }) => mfaTotpEnroll(auth, caller),
    mfaTotpConfirm: ({ auth, caller, body, origin }) =>
      mfaTotpConfirm(auth, { caller, ...body, origin }),
    mfaDisable: async ({ auth, caller, origin, c }) => {
      await mfaDisable(auth, { caller, origin })
      return c.noContent()
    },
    mfaMarkPasskey: ({ auth, caller, body, origin }) =>
      mfaMarkPasskey(auth, { caller, ...body, origin }),
    mfaRegenerateRecoveryCodes: ({ auth, caller, origin }) =>
      mfaRegenerateRecoveryCodes(auth, { caller, origin }),
    mfaStepUpOptions: ({ auth, caller }) => mfaStepUpOptions(auth, caller),
    mfaStepUp: async ({ auth, caller, body: proof, origin, c }) => {
      await mfaStepUp(auth, { caller, proof, origin })
      return c.noContent()
    },
    mfaVerifyOptions: ({ auth, body }) => mfaVerifyOptions(auth, body.challenge),
    mfaVerify: ({ auth, body: { challenge, ...proof }, origin }) =>
      mfaVerify(auth, { challenge, proof, origin }),
  },
  account: {
    export: { secondFactor: exportSecondFactor },
    sweep: forgetUnfinished,
    forget: (tx, { userId }) => forgetFactorsOf(tx, userId),
    endUnderWay: async (db) => ({ signIns: await deleteEveryChallenge(db) }),
    dropDoubted: (tx, doubted, auth) => removeFactorsSince(tx, auth, doubted),
    secondFactors: async (db, userId) => ((await hasConfirmedTotp(db, userId)) ? ['totp'] : []),
    secondFactorEnded: deleteRecoveryCodes,
  },
})
