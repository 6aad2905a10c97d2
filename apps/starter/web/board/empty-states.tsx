import { Button, TextLink } from '@svc/web/account'
import type { LoadProblem } from './load-problem.ts'

const panel = 'flex flex-col items-start gap-2 py-10'
const explanation = 'max-w-prose text-faded'

export function EmptyBoard({ mayWrite }: { mayWrite: boolean }) {
  return (
    <div className={panel}>
      <p className="font-display font-semibold text-xl">Nothing here yet</p>
      {mayWrite && <p className={explanation}>Write the first notice.</p>}
    </div>
  )
}

export function EmptyPage() {
  return (
    <div className={panel}>
      <p className="font-display font-semibold text-xl">This page is empty</p>
      <TextLink href="/">Go to the newest notices</TextLink>
    </div>
  )
}

interface FailedProps {
  problem: LoadProblem
  isAsking: boolean
  onRetry: () => void
}

export function Failed({ problem, isAsking, onRetry }: FailedProps) {
  return (
    <div className={panel}>
      <p className="font-display font-semibold text-xl">The notices could not be loaded</p>
      <p className={explanation}>
        {problem === 'error'
          ? 'Something went wrong here.'
          : 'The server does not answer right now.'}{' '}
        The board tries again every few seconds.
      </p>
      <div className="mt-2">
        <Button onClick={onRetry}>{isAsking ? 'Trying…' : 'Try again'}</Button>
      </div>
    </div>
  )
}

export function Skeleton() {
  return (
    <div role="status" className="flex flex-col gap-8 py-8">
      <span className="sr-only">Loading the notices…</span>
      {['w-4/5', 'w-3/5', 'w-2/3'].map((width) => (
        <span key={width} className={`h-4 animate-pulse rounded bg-line ${width}`} />
      ))}
    </div>
  )
}
