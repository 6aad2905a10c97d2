import { preferredLocale } from '../accounts/preferred-locale.ts'
import { implement } from '../running/implement.ts'
import { codeContract } from './contract.ts'
import { sendVerificationCode } from './send-verification-code.ts'
import { verifyCode } from './verify-code.ts'

export const codeRoutes = implement(codeContract, {
  sendVerificationCode: ({ auth, body, origin, c }) => {
    const locale = preferredLocale(c.raw.req.header('accept-language'))
    return sendVerificationCode(auth, body, { origin, locale })
  },
  verifyCode: ({ auth, body, origin }) => verifyCode(auth, body, origin),
})
