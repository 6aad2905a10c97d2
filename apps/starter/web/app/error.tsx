'use client'

import { Button, TextLink } from '@svc/web/account'
import { refusedStatus } from '@svc/web/react'
import { usePathname } from 'next/navigation'
import { useEffect, useState } from 'react'
import type { LoadProblem } from '../board/load-problem.ts'
import { useWords } from '../words/languages.tsx'

interface Props {
  error: Error & { digest?: string }
  retry: () => void
}

/**
 * Usually the API is down. The error itself does not reach the browser, so this page asks the API.
 */
export default function PageFailed({ error, retry }: Props) {
  const [problem, setProblem] = useState<LoadProblem | 'asking'>('asking')
  useEffect(() => {
    let isLate = false
    const tell = (found: LoadProblem) => isLate || setProblem(found)
    findProblem().then(tell, () => tell('no answer'))
    return () => {
      isLate = true
    }
  }, [])

  const problems = useWords('problems')
  const path = usePathname()
  const refused = refusedStatus(error)
  const { title, advice } = problems.pages[refused ?? problem]
  return (
    <main className="py-14">
      <h1 className="font-display font-semibold text-3xl tracking-tight">{title}</h1>
      <p className="mt-3 mb-5 max-w-prose text-faded">{advice}</p>
      {refused === 401 ? (
        <TextLink href={`/login?returnTo=${encodeURIComponent(path)}`}>{problems.signIn}</TextLink>
      ) : (
        <Button look="primary" onClick={retry}>
          {problems.retry}
        </Button>
      )}
    </main>
  )
}

/** Every page has this file with it, so what asks the API is loaded when there is a problem. */
async function findProblem(): Promise<LoadProblem> {
  const [{ api }, { loadProblem }] = await Promise.all([
    import('../api.ts'),
    import('../board/load-problem.ts'),
  ])
  return api.listNotices.call({ query: { limit: 1 } }).then(() => 'error' as const, loadProblem)
}
