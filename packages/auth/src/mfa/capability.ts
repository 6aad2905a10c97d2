import { defineCapability } from '../capability/capability.ts'
import { deleteEveryChallenge } from '../sign-in/challenge-store.ts'
import { mfaContract } from './contract.ts'
import { exportSecondFactor } from './export-second-factor.ts'
import { forgetFactorsOf, forgetUnfinished } from './forget-factors.ts'
import { readIssuer } from './issuer.ts'
import { mfaDisable } from './mfa-disable.ts'
import { mfaMarkPasskey } from './mfa-mark-passkey.ts'
import { mfaStepUpOptions, mfaVerifyOptions } from './mfa-options.ts'
import { mfaRegenerateRecoveryCodes } from './mfa-regenerate-recovery-codes.ts'
import { mfaStatus } from './mfa-status.ts'
import { mfaStepUp } from './mfa-step-up.ts'
import { mfaTotpConfirm } from './mfa-totp-confirm.ts'
import { mfaTotpEnroll } from './mfa-totp-enroll.ts'
import { mfaVerify } from './mfa-verify.ts'
import { deleteRecoveryCodes } from './recovery-code-store.ts'
import { recoveryCodes, totpSecrets } from './schema.ts'
import { hasConfirmedTotp } from './totp-store.ts'

export const mfaCapability = defineCapability(mfaContract, {
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
    secondFactors: async (db, userId) => ((await hasConfirmedTotp(db, userId)) ? ['totp'] : []),
    secondFactorEnded: deleteRecoveryCodes,
  },
})
