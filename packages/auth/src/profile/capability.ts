import { defineCapability } from '../capability/capability.ts'
import { profileActs } from './acts.ts'
import { profileContract } from './contract.ts'
import {
  checkUsername,
  getUserProfile,
  updateLocale,
  updateUsername,
  updateUserProfile,
} from './update-profile.ts'

export const profileCapability = defineCapability(profileContract, {
  audit: profileActs,
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
