'use client'

import { Button, TextLink } from '@svc/web/account'
import { useWords } from '../words/languages.tsx'
import type { LoadProblem } from './load-problem.ts'

const panel = 'flex flex-col items-start gap-2 py-10'
const explanation = 'max-w-prose text-faded'

export function EmptyBoard({ mayWrite }: { mayWrite: boolean }) {
  const board = useWords('board')
  return (
    <div className={panel}>
      <p className="font-display font-semibold text-xl">{board.empty}</p>
      {mayWrite && <p className={explanation}>{board.writeFirst}</p>}
    </div>
  )
}

export function EmptyPage({ path }: { path: string }) {
  const board = useWords('board')
  return (
    <div className={panel}>
      <p className="font-display font-semibold text-xl">{board.emptyPage}</p>
      <TextLink href={path}>{board.toNewest}</TextLink>
    </div>
  )
}

interface FailedProps {
  problem: LoadProblem
  isAsking: boolean
  onRetry: () => void
}

export function Failed({ problem, isAsking, onRetry }: FailedProps) {
  const board = useWords('board')
  const problems = useWords('problems')
  return (
    <div className={panel}>
      <p className="font-display font-semibold text-xl">{board.failed}</p>
      <p className={explanation}>
        {problem === 'error' ? board.failedByError : board.failedByAbsence}
      </p>
      <div className="mt-2">
        <Button onClick={onRetry}>{isAsking ? board.trying : problems.retry}</Button>
      </div>
    </div>
  )
}

/** In place of the board of an organization, once the user is no longer a member. Nothing of it stays on the page. */
export function Gone() {
  const board = useWords('board')
  return (
    <main className={panel}>
      <h1 className="font-display font-semibold text-3xl tracking-tight">{board.gone}</h1>
      <p role="alert" className={explanation}>
        {board.goneFor}
      </p>
      <TextLink href="/orgs" isAlone>
        {board.toOrganizations}
      </TextLink>
    </main>
  )
}

export function Skeleton() {
  const board = useWords('board')
  return (
    <div role="status" className="flex flex-col gap-8 py-8">
      <span className="sr-only">{board.loading}</span>
      {['w-4/5', 'w-3/5', 'w-2/3'].map((width) => (
        <span key={width} className={`h-4 animate-pulse rounded bg-line ${width}`} />
      ))}
    </div>
  )
}

/** The page before its notices are there. */
export function BoardLoading() {
  const board = useWords('board')
  return (
    <main className="py-10 sm:py-14">
      <h1 className="font-display font-semibold text-3xl tracking-tight sm:text-4xl">
        {board.title}
      </h1>
      <div className="mt-12">
        <Skeleton />
      </div>
    </main>
  )
}
