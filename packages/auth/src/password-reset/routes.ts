import { implement } from '../running/implement.ts'
import { answerSignIn } from '../sign-in/answer-sign-in.ts'
import { completePasswordReset } from './complete-password-reset.ts'
import { confirmPasswordReset } from './confirm-password-reset.ts'
import { passwordResetContract } from './contract.ts'
import { requestPasswordReset } from './request-password-reset.ts'

export const passwordResetRoutes = implement(passwordResetContract, {
  requestPasswordReset: ({ auth, body, origin }) => requestPasswordReset(auth, body, origin),
  confirmPasswordReset: ({ auth, body }) => confirmPasswordReset(auth, body.token),
  completePasswordReset: async ({ auth, body, origin, c }) =>
    answerSignIn(c, await completePasswordReset(auth, body, origin)),
})
