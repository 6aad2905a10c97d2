'use client'

import { useExportUserData } from '../../account/use-data-export.ts'
import { failureWords } from '../failures/failure-words.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Outcome } from '../ui/outcome.tsx'

/** Saves what is kept of the signed-in user as a file. */
export function ExportButton() {
  const say = useSay()
  const { run, error, isRunning } = useExportUserData()
  return (
    <div className="svc-start">
      <Button isBusy={isRunning} onClick={() => void run()}>
        {isRunning ? say('Preparing the file…') : say('Download my data')}
      </Button>
      <div className="svc-outcome-box">
        <Outcome problem={error ? failureWords(say, error) : ''} />
      </div>
    </div>
  )
}
