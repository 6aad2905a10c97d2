import { requireSession } from '../../guards/guards.ts'
import { ApprovalsView } from '../approvals/approvals.tsx'
import { accountPaths } from '../provider/account-paths.ts'
import type { PageSlots } from '../ui/page-slots.ts'
import { type AccountPageProps, type EntranceProps, guarded } from './page-props.ts'

type Props = PageSlots & Pick<EntranceProps<'id'>, 'searchParams'> & AccountPageProps

/** The calls of programs that wait for the user's approval. */
export async function ApprovalsPage({ searchParams, ...given }: Props) {
  const { id } = await searchParams
  const approvalId = typeof id === 'string' ? id.slice(0, 64) : ''
  const { guard, slots } = guarded(given, accountPaths.approvals)
  const query = approvalId ? `?${new URLSearchParams({ id: approvalId })}` : ''
  await requireSession({ ...guard, returnTo: `${guard.returnTo}${query}` })
  return <ApprovalsView {...slots} approvalId={approvalId} renderedAt={Date.now()} />
}
