import { identifiersOf, preferredLocale } from '../accounts/accounts.ts'
import { defineCapability } from '../capability/capability.ts'
import { sendVerificationCode, verifyCode } from './codes.ts'
import { codeContract } from './contract.ts'
import { verificationCodes } from './schema.ts'
import { forgetCodes, forgetCodesOf, forgetEveryCode } from './store.ts'

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
