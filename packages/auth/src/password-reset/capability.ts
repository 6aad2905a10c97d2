import { defineCapability } from '../capability/capability.ts'
import { answerSignIn } from '../sign-in/answer-sign-in.ts'
import { completePasswordReset } from './complete-password-reset.ts'
import { confirmPasswordReset } from './confirm-password-reset.ts'
import { passwordResetContract } from './contract.ts'
import { mailPasswordReset } from './mail-password-reset.ts'
import { requestPasswordReset } from './request-password-reset.ts'

export const passwordResetCapability = defineCapability(passwordResetContract, {
  linkMails: { password_reset: mailPasswordReset },
  handlers: {
    requestPasswordReset: ({ auth, body, origin }) => requestPasswordReset(auth, body, origin),
    confirmPasswordReset: ({ auth, body }) => confirmPasswordReset(auth, body.token),
    completePasswordReset: async ({ auth, body, origin, c }) =>
      answerSignIn(c, await completePasswordReset(auth, body, origin)),
  },
})
