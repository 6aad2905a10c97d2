import type { Tx } from '@svc/core'
import type { FreshCaller } from '../caller/caller.ts'
import { lockFresh } from '../fresh-proof/lock-stepped-up.ts'
import { type CodeNeeds, decideByCode, type TypedCode } from './decide-by-code.ts'
import { recordDecision } from './record-decision.ts'
import { approvePending } from './store.ts'
import { waitingDevice } from './waiting-device.ts'

type Approval = TypedCode & { caller: FreshCaller }

/** Lets the device that waits sign in as the caller. */
export async function approveDeviceAuth(auth: CodeNeeds, typed: Approval) {
  const { caller, origin } = typed
  const { authenticatedAt, binding, keyExpiresAt, keyId } = caller
  const approver = { authenticatedAt, binding, keyExpiresAt, approvedByKeyId: keyId || null }
  const approved = await decideByCode(auth, typed, {
    lock: (tx: Tx) => lockFresh(tx, caller),
    move: async (tx, { account, ...code }) => {
      const request = await approvePending(tx, account, { ...code, ...approver })
      if (!request) return null
      const { userId: actor } = account
      await recordDecision(tx, auth, {
        request,
        act: 'device.approved',
        actor,
        origin,
        at: code.now,
      })
      return request
    },
  })
  return waitingDevice(approved)
}
