'use client'

import { useRouter } from 'next/navigation.js'
import { useState } from 'react'
import { useRotateKey } from '../../account/use-security.ts'
import { failureWords } from '../failures/failure-words.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { ExactTime } from '../ui/exact-time.tsx'
import { Outcome } from '../ui/outcome.tsx'

/** Until when this device is signed in, and a way to get another key. */
export function ReplaceKey({ expiresAtMillis }: { expiresAtMillis: number | undefined }) {
  const say = useSay()
  const router = useRouter()
  const [until, setUntil] = useState(expiresAtMillis)
  const [done, setDone] = useState('')
  const { run, error, isRunning } = useRotateKey({ onDone: () => router.refresh() })

  async function replace() {
    setDone('')
    const next = await run()
    if (next === null) return
    setUntil(next)
    setDone(say('This device has a new key.'))
  }

  return (
    <div className="svc-start">
      {until !== undefined && (
        <p className="svc-small svc-below-3">
          {say.nodes('This device’s key expires on {time}.', {
            time: <ExactTime at={until} />,
          })}
        </p>
      )}
      <Button isBusy={isRunning} onClick={() => void replace()}>
        {isRunning ? say('Replacing it…') : say('Replace the key')}
      </Button>
      <div className="svc-outcome-box">
        <Outcome problem={error ? failureWords(say, error) : ''} done={done} />
      </div>
    </div>
  )
}
