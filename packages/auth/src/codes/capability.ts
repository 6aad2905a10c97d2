import { identifiersOf } from '../accounts/identifier.ts'
import { preferredLocale } from '../accounts/preferred-locale.ts'
import { defineCapability } from '../capability/capability.ts'
import { codeContract } from './contract.ts'
import { forgetCodes, forgetCodesOf, forgetEveryCode } from './forget-codes.ts'
import { verificationCodes } from './schema.ts'
import { sendVerificationCode } from './send-verification-code.ts'
import { verifyCode } from './verify-code.ts'

export const codeCapability = defineCapability(codeContract, {
  tables: { verificationCodes },
  handlers: {
    sendVerificationCode: ({ auth, body, origin, c }) => {
      const locale = preferredLocale(c.raw.req.header('accept-language'))
      return sendVerificationCode(auth, body, { origin, locale })
    },
    verifyCode: ({ auth, body, origin }) => verifyCode(auth, body, origin),
  },
  account: {
    sweep: forgetCodes,
    async forget(tx, account) {
      for (const identifier of identifiersOf(account)) await forgetCodesOf(tx, identifier)
    },
    endUnderWay: async (db) => ({ codes: await forgetEveryCode(db) }),
  },
})
