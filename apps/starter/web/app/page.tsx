import { Suspense } from 'react'
import { BoardLoading } from '../board/empty-states.tsx'
import { loaded } from '../board/load-problem.ts'
import { NoticeBoard } from '../board/notice-board.tsx'
import { noticesOnPage, pageNumber } from '../board/pager.tsx'
import { may } from '../permissions.ts'
import { knownSession, serverApi } from '../server-api.ts'
import { PageWords } from '../words/languages.tsx'
import { pageWords } from '../words/page-words.ts'

interface Props {
  searchParams: Promise<{ page?: string | string[] }>
}

/**
 * The placeholder belongs to this page alone. It isn't a loading.tsx for all pages: others redirect
 * signed-out users, and once an answer has begun, a redirect has no status any more.
 */
export default async function Page(props: Props) {
  const { board } = await pageWords()
  return (
    <PageWords words={{ board }}>
      <Suspense fallback={<BoardLoading />}>
        <Board {...props} />
      </Suspense>
    </PageWords>
  )
}

async function Board({ searchParams }: Props) {
  const { page } = await searchParams
  const query = { page: pageNumber(page), limit: noticesOnPage }
  const asking = loaded(serverApi().listNotices.call({ query }))
  const [initial, session] = await Promise.all([asking, knownSession()])
  const board = { path: '/', mayWrite: session !== null && may(session, 'notice:write') }
  return <NoticeBoard {...{ board, initial, session }} renderedAt={Date.now()} />
}
