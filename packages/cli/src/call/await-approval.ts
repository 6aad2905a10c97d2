import { setTimeout as pause } from 'node:timers/promises'
import { CommandFailure, isRefusal } from '../failure.ts'
import { printable } from '../terminal.ts'

/** What a call that the owner has to approve is refused with. */
interface ApprovalRequired extends Error {
  readonly approvalId: string
  readonly approveUrl: string
  readonly expiresAtMillis: number
}

/** A terminal asks for an approval with this header: without it, it is asked for a proof. */
export const askingHeader = { 'svc-approval': 'ask' }

const pauseMillis = 2000

/** The calls that wait for their owner, as `listApprovals` answers them. */
export type Waiting = Promise<{ approvals: readonly { approvalId: string }[] }>

/** Says where the call is approved, and waits until the owner has decided. Throws any other refusal. */
export async function awaitApproval(error: unknown, list: () => Waiting) {
  const required = approvalOf(error)
  if (!required) throw error
  const { approvalId, approveUrl, expiresAtMillis } = required
  console.error(`Approve it at ${printable(approveUrl)}`)
  while (Date.now() < expiresAtMillis) {
    await pause(pauseMillis)
    const { approvals } = await list()
    if (!approvals.some((each) => each.approvalId === approvalId)) return
  }
  throw new CommandFailure('It was not approved in time. Call it again to ask once more.', {
    cause: error,
  })
}

/** By its shape: the application may have another copy of the class. */
function approvalOf(error: unknown): ApprovalRequired | null {
  if (!isRefusal(error) || error.name !== 'ApprovalRequiredError') return null
  const { publicFields } = error as { publicFields?: Partial<ApprovalRequired> }
  const found = { ...publicFields, ...error } as Partial<ApprovalRequired>
  return found.approvalId && found.approveUrl && found.expiresAtMillis
    ? (found as ApprovalRequired)
    : null
}
