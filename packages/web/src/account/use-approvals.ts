import { type Approval, ApprovalNotFoundError, authApi } from '@svc/auth'
import { useState } from 'react'
import { useAction } from './use-action.ts'
import { useInitialLoad } from './use-initial-load.ts'

interface Options {
  /** What the server found when it rendered the page. */
  initial?: Approval[]
  api?: Pick<typeof authApi, 'listApprovals' | 'approveCall' | 'refuseCall'>
}

/**
 * The calls of programs that wait for the user. `approving` and `refusing` take the id of one. They resolve to
 * `{ isMine: false }` if it was decided elsewhere, or if it was too late.
 */
export function useApprovals({ initial, api = authApi }: Options = {}) {
  const [approvals, setApprovals] = useState<Approval[] | null>(initial ?? null)
  const loading = useAction(async () => {
    setApprovals((await api.listApprovals.call()).approvals)
  })
  const leaveOut = (approvalId: string) =>
    setApprovals((before) => before?.filter((each) => each.approvalId !== approvalId) ?? null)

  const decide = (call: 'approveCall' | 'refuseCall') => async (approvalId: string) => {
    const isMine = await api[call].call({ params: { approvalId }, body: {} }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApprovalNotFoundError) return false
        throw error
      },
    )
    leaveOut(approvalId)
    return { isMine }
  }
  const approving = useAction(decide('approveCall'))
  const refusing = useAction(decide('refuseCall'))

  const { run: load } = loading
  useInitialLoad(load, initial)

  return { approvals, loading, approving, refusing, reload: load }
}
