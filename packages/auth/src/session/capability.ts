import { authOf } from '../auth.ts'
import { defineCapability } from '../capability/capability.ts'
import { answerSignIn } from '../sign-in/answer-sign-in.ts'
import { askToEndBinding } from './ask-to-end-binding.ts'
import { askToRenew } from './ask-to-renew.ts'
import { sessionContract } from './contract.ts'
import { getAuthSession } from './get-auth-session.ts'
import { renewSession } from './renew-session.ts'
import { getSessionBinding } from './session-binding.ts'
import { setSessionBinding } from './set-session-binding.ts'

export const sessionCapability = defineCapability(sessionContract, {
  handlers: {
    getAuthSession: ({ auth, caller }) => getAuthSession(auth, caller),
    getSessionBinding: ({ caller }) => getSessionBinding(caller),
    setSessionBinding: ({ auth, caller, body, origin }) =>
      setSessionBinding(auth, { caller, ...body, origin }),
    sessionBindingDisableOptions: ({ auth, caller }) => askToEndBinding(auth, caller),
    sessionRenewOptions: ({ c, body }) => askToRenew(authOf(c.raw.server), { raw: c.raw, ...body }),
    sessionRenewVerify: async ({ c, body }) =>
      answerSignIn(c, await renewSession(authOf(c.raw.server), { raw: c.raw, body })),
  },
})
