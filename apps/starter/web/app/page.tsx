import { Suspense } from 'react'
import { BoardLoading } from '../board/empty-states.tsx'
import { loadProblem } from '../board/load-problem.ts'
import { NoticeBoard } from '../board/notice-board.tsx'
import { noticesOnPage, pageNumber } from '../board/pager.tsx'
import type { Loaded } from '../board/use-notices.ts'
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
  const [initial, session] = await Promise.all([load(pageNumber(page)), knownSession()])
  return <NoticeBoard {...{ initial, session }} renderedAt={Date.now()} />
}

/** Without an answer the board says so, and asks again from the browser. */
async function load(page: number): Promise<Loaded> {
  try {
    const query = { page, limit: noticesOnPage }
    return { notices: await serverApi().listNotices.call({ query }), problem: null }
  } catch (error) {
    return { notices: null, problem: loadProblem(error) }
  }
}
