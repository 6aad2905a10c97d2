import type { Notices } from '../api.ts'
import { EmptyBoard, EmptyPage, Failed, Skeleton } from './empty-states.tsx'
import type { LoadProblem } from './load-problem.ts'
import { NoticeList } from './notice-list.tsx'
import { Pager } from './pager.tsx'

interface Props {
  notices: Notices | null
  page: number
  problem: LoadProblem | null
  isAsking: boolean
  freshId: string | undefined
  renderedAt: number
  mayWrite: boolean
  onRetry: () => void
  onTurn: (page: number) => void
}

export function BoardContents({ notices, page, problem, isAsking, ...rest }: Props) {
  const isAskedPage = notices?.meta.pagination.page === page
  if (!isAskedPage && problem) {
    return <Failed problem={problem} isAsking={isAsking} onRetry={rest.onRetry} />
  }
  if (!notices) return <Skeleton />
  if (notices.meta.pagination.total === 0) return <EmptyBoard mayWrite={rest.mayWrite} />
  if (notices.data.length === 0) return <EmptyPage />
  return (
    <div className={isAskedPage ? '' : 'opacity-40 transition-opacity delay-150'}>
      <NoticeList notices={notices.data} freshId={rest.freshId} renderedAt={rest.renderedAt} />
      <Pager {...notices.meta.pagination} onTurn={rest.onTurn} />
    </div>
  )
}
