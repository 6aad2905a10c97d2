import { authOf } from '../auth.ts'
import { defineCapability } from '../capability/capability.ts'
import { answerSignIn } from '../sign-in/sign-in.ts'
import { sessionActs } from './acts.ts'
import { askToEndBinding, setSessionBinding } from './bind-key.ts'
import { type AuthSession, sessionContract } from './contract.ts'
import { askToRenew, renewSession } from './renew-session.ts'
import { getAuthSession, getSessionBinding } from './session.ts'

/** A page learns by the session whether there are support sessions, and what they need of the owner. */
export const sessionCapability = (supportConsent: AuthSession['supportConsent']) =>
  defineCapability(sessionContract, {
    audit: sessionActs,
    // The device has signed in before.
    tells: { sessionRenewVerify: true },
    handlers: {
      getAuthSession: ({ auth, caller }) => getAuthSession(auth, { caller, supportConsent }),
      getSessionBinding: ({ caller }) => getSessionBinding(caller),
      setSessionBinding: ({ auth, caller, body, origin }) =>
        setSessionBinding(auth, { caller, ...body, origin }),
      sessionBindingDisableOptions: ({ auth, caller }) => askToEndBinding(auth, caller),
      sessionRenewOptions: ({ c, body }) =>
        askToRenew(authOf(c.raw.server), { raw: c.raw, ...body }),
      sessionRenewVerify: async ({ c, body }) =>
        answerSignIn(c, await renewSession(authOf(c.raw.server), { raw: c.raw, body })),
    },
  })
