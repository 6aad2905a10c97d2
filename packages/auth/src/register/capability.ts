import { preferredLocale } from '../accounts/accounts.ts'
import { defineCapability } from '../capability/capability.ts'
import { registerActs } from './acts.ts'
import { registerContract } from './contract.ts'
import { register } from './register.ts'

export const registerCapability = defineCapability(registerContract, {
  audit: registerActs,
  handlers: {
    register: ({ auth, body, origin, c }) => {
      const locale = preferredLocale(c.raw.req.header('accept-language'))
      return register(auth, body, { origin, locale })
    },
  },
})
