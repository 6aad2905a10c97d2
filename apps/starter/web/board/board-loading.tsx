import { Skeleton } from './empty-states.tsx'

/** The page before its notices are there. */
export function BoardLoading() {
  return (
    <main className="py-10 sm:py-14">
      <h1 className="font-display text-4xl tracking-tight sm:text-5xl">Notice board</h1>
      <div className="mt-12">
        <Skeleton />
      </div>
    </main>
  )
}
