'use client'

import { Button, failureWords, MailboxHint, Outcome, Panel, useSay } from '@svc/web/account'
import { useAction } from '@svc/web/react'
import { useState } from 'react'
import { api } from '../../../api.ts'

/** Mails a link that signs every device out, for a user who has none of them at hand. */
export function SignOutLink({ email }: { email: string }) {
  const say = useSay()
  const [done, setDone] = useState('')
  const { run, error, isRunning } = useAction(async () => {
    setDone('')
    const { expiresAt } = await api.mailSignOutLink.call()
    setDone(`We sent a link to ${email}. It works until ${clockTime.format(new Date(expiresAt))}.`)
  })
  return (
    <Panel
      title="A link that signs out everywhere"
      about="Sign out everywhere from your mail, on any device, without signing in there. Only the newest link works, and only once."
    >
      <Button isBusy={isRunning} onClick={() => void run()}>
        {isRunning ? 'Sending…' : 'Mail me the link'}
      </Button>
      <div className="has-[p:not(:empty)]:mt-3">
        <Outcome problem={error ? failureWords(say, error) : ''} done={done} />
        {done && (
          <p className="mt-2 text-faded text-sm">
            <MailboxHint />
          </p>
        )}
      </div>
    </Panel>
  )
}

const clockTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
