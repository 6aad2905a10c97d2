import { loadProblem } from '../board/load-problem.ts'
import { NoticeBoard } from '../board/notice-board.tsx'
import { noticesOnPage, pageNumber } from '../board/paging.ts'
import type { Loaded } from '../board/use-notices.ts'
import { serverApi } from '../server-api.ts'

interface Props {
  searchParams: Promise<{ page?: string | string[] }>
}

export default async function Page({ searchParams }: Props) {
  const { page } = await searchParams
  return <NoticeBoard initial={await load(pageNumber(page))} renderedAt={Date.now()} />
}

/** Without an answer the board says so, and asks again from the browser. */
async function load(page: number): Promise<Loaded> {
  try {
    const query = { page, limit: noticesOnPage }
    return { notices: await serverApi.listNotices.call({ query }), problem: null }
  } catch (error) {
    return { notices: null, problem: loadProblem(error) }
  }
}
