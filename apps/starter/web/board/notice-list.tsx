import { RelativeTime, useNow } from '@svc/web/account'
import type { Notice } from '../api.ts'

interface Props {
  notices: Notice[]
  freshId: string | undefined
  renderedAt: number
}

export function NoticeList({ notices, freshId, renderedAt }: Props) {
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
