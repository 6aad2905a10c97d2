import { useCallback, useEffect, useState } from 'react'
import { noticesOf } from '../api.ts'
import { boardProblem, type Loaded } from './load-problem.ts'
import { noticesOnPage } from './pager.tsx'

const askAgainMillis = 10_000

interface Given {
  /** What the server found when it rendered the page. */
  initial: Loaded
  /** A stream tells what is new, so the page doesn't have to ask. */
  isLive: boolean
  /** The organization whose board it is, if it is not that of everyone. */
  org: string | undefined
}

/**
 * The notices of a page, asked for again while the page is visible. Those on show stay while the
 * API is away.
 */
export function useNotices(page: number, { initial, isLive, org }: Given) {
  const [loaded, setLoaded] = useState(initial)
  const [isAsking, setAsking] = useState(false)
  // The server has asked for the first page on show.
  const [asked, setAsked] = useState({ page, times: 0 })
  const ask = useCallback(() => setAsked(({ times }) => ({ page, times: times + 1 })), [page])
  if (asked.page !== page) ask()

  useEffect(() => {
    if (asked.times === 0) return undefined
    let isLate = false
    const settle = (change: Partial<Loaded>) => {
      if (isLate) return
      setAsking(false)
      setLoaded((before) => ({ ...before, ...change }))
    }
    setAsking(true)
    noticesOf(org)
      .list({ query: { page: asked.page, limit: noticesOnPage } })
      .then(
        (notices) => settle({ notices, problem: null }),
        (error: unknown) => settle({ problem: boardProblem(error) }),
      )
    return () => {
      isLate = true
    }
  }, [asked, org])

  useEffect(() => {
    if (isLive) return undefined
    const timer = setInterval(() => document.hidden || ask(), askAgainMillis)
    return () => clearInterval(timer)
  }, [ask, isLive])

  return { ...loaded, isAsking, ask }
}
