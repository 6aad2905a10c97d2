'use client'

import { Button, failureWords, MailboxHint, Outcome, Setting, useSay } from '@svc/web/account'
import { useAction } from '@svc/web/react'
import { useState } from 'react'
import { api } from '../../../api.ts'

/** Mails a link that signs every device out, for a user who has none of them at hand. */
export function SignOutLink({ email }: { email: string }) {
  const say = useSay()
  const [sent, setSent] = useState('')
  const { run, error, isRunning } = useAction(async () => {
    setSent('')
    const { expiresAt } = await api.mailSignOutLink.call()
    setSent(`We sent a link to ${email}. It works until ${clockTime.format(new Date(expiresAt))}.`)
  })
  return (
    <Setting
      title="A link that signs out everywhere"
      about="Sign out everywhere from your mail, on any device, without signing in there. Only the newest link works, and only once."
      action={
        <Button isBusy={isRunning} onClick={() => void run()}>
          {isRunning ? 'Sending…' : 'Mail me the link'}
        </Button>
      }
    >
      <Outcome problem={error ? failureWords(say, error) : ''} />
      <p role="status" className="text-faded text-sm">
        {sent && (
          <>
            {sent} <MailboxHint />
          </>
        )}
      </p>
    </Setting>
  )
}

const clockTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
