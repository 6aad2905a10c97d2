import { implement } from '../../running/implement.ts'
import { answerInTime } from './answer-in-time.ts'
import { unlinkContract } from './contract.ts'
import { handleUnlink } from './handle-unlink.ts'

export const unlinkRoutes = implement(
  unlinkContract,
  {
    unlinkNotifyByQuery: ({ auth, params, c }) => handleUnlink(auth, { raw: c.raw, ...params }),
    unlinkNotify: ({ auth, params, c }) => handleUnlink(auth, { raw: c.raw, ...params }),
  },
  { first: [answerInTime] },
)
