import { implement } from '../running/implement.ts'
import { changePassword } from './change-password.ts'
import { passwordContract } from './contract.ts'

export const passwordRoutes = implement(passwordContract, {
  changePassword: async ({ auth, caller, body, origin, c }) => {
    await changePassword(auth, { caller, ...body, origin })
    return c.noContent()
  },
})
