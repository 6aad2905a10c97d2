import { RelativeTime, useNow } from '@svc/web/account'
import type { Notice, Notices } from '../api.ts'
import { EmptyBoard, EmptyPage, Failed, Skeleton } from './empty-states.tsx'
import type { LoadProblem } from './load-problem.ts'
import { Pager } from './pager.tsx'

interface Props {
  path: string
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
  if (notices.data.length === 0) return <EmptyPage path={rest.path} />
  return (
    <div className={isAskedPage ? '' : 'opacity-40 transition-opacity delay-150'}>
      <NoticeList notices={notices.data} freshId={rest.freshId} renderedAt={rest.renderedAt} />
      <Pager {...notices.meta.pagination} path={rest.path} onTurn={rest.onTurn} />
    </div>
  )
}

interface ListProps {
  notices: Notice[]
  freshId: string | undefined
  renderedAt: number
}

function NoticeList({ notices, freshId, renderedAt }: ListProps) {
  const now = useNow(renderedAt)
  return (
    <ol>
      {notices.map(({ id, text, author, createdAt }) => (
        <li
          key={id}
          className={`flex flex-col-reverse gap-x-8 gap-y-2 border-line border-b py-5 sm:flex-row ${id === freshId ? 'fresh-notice' : ''}`}
        >
          <div className="flex shrink-0 gap-2 text-faded text-sm sm:w-32 sm:flex-col sm:gap-0.5 sm:pt-0.5">
            <span className="text-ink">{author}</span>
            <span aria-hidden="true" className="sm:hidden">
              ·
            </span>
            <RelativeTime at={createdAt} now={now} />
          </div>
          <p className="min-w-0 whitespace-pre-wrap break-words leading-relaxed [overflow-wrap:anywhere]">
            {text}
          </p>
        </li>
      ))}
    </ol>
  )
}
