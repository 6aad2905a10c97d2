import { defineCapability } from '../capability/capability.ts'
import { revokeKey } from '../keys/keys.ts'
import { answerSignIn } from '../sign-in/sign-in.ts'
import { loginContract } from './contract.ts'
import { login } from './login.ts'

export const loginCapability = defineCapability(loginContract, {
  handlers: {
    login: async ({ auth, body, origin, c }) => answerSignIn(c, await login(auth, body, origin)),
    logout: async ({ auth, caller, origin, c }) => {
      await revokeKey(auth, { caller, keyId: caller.keyId, reason: 'logout', origin })
      return c.noContent()
    },
  },
})
