'use client'

import type { AuthSession } from '@svc/auth'
import { useSearchParams } from 'next/navigation'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Board, Notice, Notices } from '../api.ts'
import { useWords } from '../words/languages.tsx'
import { fill, type Words } from '../words/words.ts'
import { BoardContents } from './board-contents.tsx'
import { Gone } from './empty-states.tsx'
import { ConnectionStatus, LiveNotices } from './live-notices.tsx'
import type { Loaded } from './load-problem.ts'
import { Composer } from './notice-form.tsx'
import { pageAddress, pageNumber } from './pager.tsx'
import { useNotices } from './use-notices.ts'

interface Props {
  board: Board
  initial: Loaded
  session: AuthSession | null
  renderedAt: number
}

export function NoticeBoard({ board, initial, session, renderedAt }: Props) {
  const words = useWords('board')
  const { path, org, mayWrite } = board
  const page = pageNumber(useSearchParams().get('page'))
  const [isLive, setLive] = useState(false)
  const { notices, problem, isAsking, ask } = useNotices(page, { initial, isLive, org })
  const askSoon = useSoon(ask)
  const [freshId, setFreshId] = useState<string>()
  const heading = useRef<HTMLHeadingElement>(null)

  function turnTo(next: number) {
    window.history.pushState(null, '', pageAddress(path, next))
    heading.current?.focus()
  }

  function showArrived(newId?: string) {
    if (newId) setFreshId(newId)
    askSoon()
  }

  function showPosted({ id }: Notice) {
    setFreshId(id)
    if (page === 1) ask()
    else window.history.pushState(null, '', pageAddress(path, 1))
  }

  if (problem === 'gone') return <Gone />
  return (
    <main className="py-10 sm:py-14">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-3">
        <h1 className="font-display font-semibold text-3xl tracking-tight sm:text-4xl">
          {board.name ?? words.title}
        </h1>
        <ConnectionStatus problem={problem} isLive={isLive} />
      </div>
      {session && (
        <LiveNotices userId={session.userId} org={org} onChange={showArrived} onLive={setLive} />
      )}
      <Composer session={session} board={board} onPosted={showPosted} onFailed={ask} />
      <section aria-labelledby="notices" aria-busy={isAsking} className="mt-12">
        <h2
          id="notices"
          ref={heading}
          tabIndex={-1}
          className="scroll-mt-6 border-line border-b pb-3 text-faded text-sm outline-none"
        >
          {headline(words, notices)}
        </h2>
        <BoardContents
          {...{ path, notices, page, problem, isAsking, freshId, renderedAt, mayWrite }}
          onRetry={ask}
          onTurn={turnTo}
        />
      </section>
    </main>
  )
}

function headline(board: Words['board'], notices: Notices | null) {
  const { total = 0, page = 1, totalPages: pages = 0 } = notices?.meta.pagination ?? {}
  if (total === 0) return board.notices
  const count = total === 1 ? board.oneNotice : fill(board.manyNotices, { count: total })
  return pages > 1 && page <= pages ? `${count} · ${fill(board.page, { page, pages })}` : count
}

const soonMillis = 200

/** A function that runs the given one a moment later: once for all calls until then. */
function useSoon(run: () => void) {
  const latest = useRef(run)
  latest.current = run
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => latest.current(), soonMillis)
  }, [])
}
