import { preferredLocale } from '../accounts/preferred-locale.ts'
import { implement } from '../running/implement.ts'
import { registerContract } from './contract.ts'
import { register } from './register.ts'

export const registerRoutes = implement(registerContract, {
  register: ({ auth, body, origin, c }) => {
    const locale = preferredLocale(c.raw.req.header('accept-language'))
    return register(auth, body, { origin, locale })
  },
})
