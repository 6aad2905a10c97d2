import { preferredLocale } from '../accounts/accounts.ts'
import { defineCapability } from '../capability/capability.ts'
import { signupContract } from './contract.ts'
import { signupVariables } from './env.ts'
import { completeSignup, confirmSignupLink, mailSignupLink, requestSignupLink } from './signup.ts'

export const signupCapability = defineCapability(signupContract, {
  env: signupVariables,
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
