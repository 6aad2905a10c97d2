'use client'

import { useAction } from '@svc/web/react'
import { useState } from 'react'
import { api } from '../api.ts'
import { MailboxHint } from '../links/mailbox-hint.tsx'
import { Button } from '../ui/button.tsx'
import { failureWords } from '../ui/failure-words.ts'
import { Outcome } from '../ui/outcome.tsx'

/** Has a link mailed that signs every device out, for whoever is not at one of them any more. */
export function SignOutLink({ email }: { email: string }) {
  const [done, setDone] = useState('')
  const { run, error, isRunning } = useAction(async () => {
    setDone('')
    const { expiresAt } = await api.mailSignOutLink.call()
    setDone(`We sent a link to ${email}. It works until ${clockTime.format(new Date(expiresAt))}.`)
  })
  return (
    <div className="grid">
      <div>
        <Button isBusy={isRunning} onClick={() => void run()}>
          {isRunning ? 'Sending…' : 'Mail me the link'}
        </Button>
      </div>
      <div className="has-[p:not(:empty)]:mt-3">
        <Outcome problem={error ? failureWords(error) : ''} done={done} />
        {done && (
          <p className="mt-2 text-faded text-sm">
            <MailboxHint />
          </p>
        )}
      </div>
    </div>
  )
}

const clockTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
