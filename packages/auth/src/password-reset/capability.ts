import { defineCapability } from '../capability/capability.ts'
import { answerSignIn } from '../sign-in/sign-in.ts'
import { passwordResetActs } from './acts.ts'
import { passwordResetContract } from './contract.ts'
import { passwordResetVariables } from './env.ts'
import {
  completePasswordReset,
  confirmPasswordReset,
  mailPasswordReset,
  requestPasswordReset,
} from './password-reset.ts'

export const passwordResetCapability = defineCapability(passwordResetContract, {
  audit: passwordResetActs,
  env: passwordResetVariables,
  linkMails: { password_reset: mailPasswordReset },
  // The mail about the new password tells the owner.
  tells: { completePasswordReset: true },
  handlers: {
    requestPasswordReset: ({ auth, body, origin }) => requestPasswordReset(auth, body, origin),
    confirmPasswordReset: ({ auth, body }) => confirmPasswordReset(auth, body.token),
    completePasswordReset: async ({ auth, body, origin, c }) =>
      answerSignIn(c, await completePasswordReset(auth, body, origin)),
  },
})
