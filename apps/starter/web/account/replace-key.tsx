'use client'

import { useRotateKey } from '@svc/web/react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ExactTime } from '../ui/exact-time.tsx'
import { failureWords } from '../ui/failure-words.ts'
import { Outcome } from '../ui/outcome.tsx'

/** Until when this device is signed in, and a way to begin anew. */
export function ReplaceKey({ expiresAtMillis }: { expiresAtMillis: number | undefined }) {
  const router = useRouter()
  const [until, setUntil] = useState(expiresAtMillis)
  const [done, setDone] = useState('')
  const { run, error, isRunning } = useRotateKey({ onDone: () => router.refresh() })

  async function replace() {
    setDone('')
    const next = await run()
    if (next === null) return
    setUntil(next)
    setDone('This device has a new key.')
  }

  return (
    <div className="grid justify-items-start">
      {until !== undefined && (
        <p className="mb-3 text-sm">
          This device’s key expires on <ExactTime at={until} />.
        </p>
      )}
      <Button isBusy={isRunning} onClick={() => void replace()}>
        {isRunning ? 'Replacing it…' : 'Replace the key'}
      </Button>
      <div className="has-[p:not(:empty)]:mt-3">
        <Outcome problem={error ? failureWords(error) : ''} done={done} />
      </div>
    </div>
  )
}
