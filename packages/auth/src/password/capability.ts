import { defineCapability } from '../capability/capability.ts'
import { passwordActs } from './acts.ts'
import { changePassword } from './change-password.ts'
import { passwordContract } from './contract.ts'

export const passwordCapability = defineCapability(passwordContract, {
  audit: passwordActs,
  handlers: {
    changePassword: async ({ auth, caller, body, origin, c }) => {
      await changePassword(auth, { caller, ...body, origin })
      return c.noContent()
    },
  },
})
