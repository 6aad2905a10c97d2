'use client'

import { Button, failureWords, MailboxHint, Outcome, Setting, useSay } from '@svc/web/account'
import { useAction } from '@svc/web/react'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { useWords } from '../../../words/languages.tsx'
import { fill } from '../../../words/words.ts'

/** Mails a link that signs every device out, for a user who has none of them at hand. */
export function SignOutLink({ email }: { email: string }) {
  const say = useSay()
  const { signOutLink } = useWords()
  const [sent, setSent] = useState('')
  const { run, error, isRunning } = useAction(async () => {
    setSent('')
    const { expiresAt } = await api.mailSignOutLink.call()
    const time = new Intl.DateTimeFormat(say.dateLocale, { timeStyle: 'short' })
    setSent(fill(signOutLink.sent, { email, time: time.format(new Date(expiresAt)) }))
  })
  return (
    <Setting
      title={signOutLink.title}
      about={signOutLink.about}
      action={
        <Button isBusy={isRunning} onClick={() => void run()}>
          {isRunning ? signOutLink.sending : signOutLink.send}
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
