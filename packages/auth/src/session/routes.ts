import { implement } from '../running/implement.ts'
import { answerSignIn } from '../sign-in/answer-sign-in.ts'
import { askToEndBinding } from './ask-to-end-binding.ts'
import { askToRenew } from './ask-to-renew.ts'
import { sessionContract } from './contract.ts'
import { getAuthSession } from './get-auth-session.ts'
import { renewSession } from './renew-session.ts'
import { getSessionBinding } from './session-binding.ts'
import { setSessionBinding } from './set-session-binding.ts'

export const sessionRoutes = implement(sessionContract, {
  getAuthSession: ({ auth, caller }) => getAuthSession(auth, caller),
  getSessionBinding: ({ caller }) => getSessionBinding(caller),
  setSessionBinding: ({ auth, caller, body, origin }) =>
    setSessionBinding(auth, { caller, ...body, origin }),
  sessionBindingDisableOptions: ({ auth, caller }) => askToEndBinding(auth, caller),
  sessionRenewOptions: ({ auth, c, body }) => askToRenew(auth, { raw: c.raw, ...body }),
  sessionRenewVerify: async ({ auth, c, body }) =>
    answerSignIn(c, await renewSession(auth, { raw: c.raw, body })),
})
