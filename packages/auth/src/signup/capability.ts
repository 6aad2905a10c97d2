import { preferredLocale } from '../accounts/preferred-locale.ts'
import { defineCapability } from '../capability/capability.ts'
import { completeSignup } from './complete-signup.ts'
import { confirmSignupLink } from './confirm-signup-link.ts'
import { signupContract } from './contract.ts'
import { mailSignupLink } from './mail-signup-link.ts'
import { requestSignupLink } from './request-signup-link.ts'

export const signupCapability = defineCapability(signupContract, {
  linkMails: { signup: mailSignupLink },
  handlers: {
    requestSignupLink: ({ auth, body, origin, c }) => {
      const locale = preferredLocale(c.raw.req.header('accept-language'))
      return requestSignupLink(auth, body, { origin, locale })
    },
    confirmSignupLink: ({ auth, body }) => confirmSignupLink(auth, body.token),
    completeSignup: ({ auth, body, origin }) => completeSignup(auth, body, origin),
  },
})
