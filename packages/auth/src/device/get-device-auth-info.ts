import { lockCaller } from '../keys/lock-caller.ts'
import { type CodeNeeds, decideByCode, type TypedCode } from './decide-by-code.ts'
import { claimPending } from './store.ts'
import { waitingDevice } from './waiting-device.ts'

/** Shows the device that waits. From then on nobody else is told of it, and what ends the account's keys ends it too. */
export async function getDeviceAuthInfo(auth: CodeNeeds, typed: TypedCode) {
  const claimed = await decideByCode(auth, typed, {
    lock: (tx) => lockCaller(tx, typed.caller),
    move: (tx, { account, ...code }) => claimPending(tx, { ...code, userId: account.userId }),
  })
  return waitingDevice(claimed)
}
