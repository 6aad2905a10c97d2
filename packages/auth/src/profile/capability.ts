import { defineCapability } from '../capability/capability.ts'
import { checkUsername } from './check-username.ts'
import { profileContract } from './contract.ts'
import { getUserProfile } from './get-user-profile.ts'
import { updateLocale } from './update-locale.ts'
import { updateUserProfile } from './update-user-profile.ts'
import { updateUsername } from './update-username.ts'

export const profileCapability = defineCapability(profileContract, {
  handlers: {
    checkUsername: ({ auth, query }) => checkUsername(auth, query.username),
    updateUsername: ({ auth, caller, body, origin }) =>
      updateUsername(auth, { caller, ...body, origin }),
    updateLocale: ({ auth, caller, body }) => updateLocale(auth, { caller, ...body }),
    getUserProfile: ({ auth, caller }) => getUserProfile(auth, caller.userId),
    updateUserProfile: ({ auth, caller, body }) =>
      updateUserProfile(auth, { caller, changes: body }),
  },
})
