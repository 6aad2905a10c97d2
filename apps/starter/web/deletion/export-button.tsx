'use client'

import { useExportUserData } from '@svc/web/react'
import { Button } from '../ui/button.tsx'
import { failureWords } from '../ui/failure-words.ts'
import { Outcome } from '../ui/outcome.tsx'

/** Saves what is kept of whoever is signed in as a file. */
export function ExportButton() {
  const { run, error, isRunning } = useExportUserData()
  return (
    <div className="grid justify-items-start">
      <Button isBusy={isRunning} onClick={() => void run()}>
        {isRunning ? 'Preparing the file…' : 'Download my data'}
      </Button>
      <div className="has-[p:not(:empty)]:mt-3">
        <Outcome problem={error ? failureWords(error) : ''} />
      </div>
    </div>
  )
}
