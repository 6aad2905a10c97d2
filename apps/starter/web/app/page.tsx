import { Suspense } from 'react'
import { BoardLoading } from '../board/board-loading.tsx'
import { loadProblem } from '../board/load-problem.ts'
import { NoticeBoard } from '../board/notice-board.tsx'
import { noticesOnPage, pageNumber } from '../board/paging.ts'
import type { Loaded } from '../board/use-notices.ts'
import { serverApi } from '../server-api.ts'
import { knownSession } from './known-session.ts'

interface Props {
  searchParams: Promise<{ page?: string | string[] }>
}

/**
 * What stands in for the board is of this page alone, not a loading.tsx for all: others send whoever is signed out
 * elsewhere, and once an answer has begun, a redirect has no status any more.
 */
export default function Page(props: Props) {
  return (
    <Suspense fallback={<BoardLoading />}>
      <Board {...props} />
    </Suspense>
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
