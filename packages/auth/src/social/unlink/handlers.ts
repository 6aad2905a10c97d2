import type { Handlers } from '../../capability/capability.ts'
import type { SocialHeld } from '../held.ts'
import { handleUnlink } from './handle-unlink.ts'
import type { unlinkOperations } from './operations.ts'

export const unlinkHandlers: Handlers<typeof unlinkOperations, SocialHeld> = {
  unlinkNotifyByQuery: ({ auth, params, c }) => handleUnlink(auth, { raw: c.raw, ...params }),
  unlinkNotify: ({ auth, params, c }) => handleUnlink(auth, { raw: c.raw, ...params }),
}
