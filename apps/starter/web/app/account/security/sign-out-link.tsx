'use client'

import { Button, failureWords, MailboxHint, Outcome, Setting, useSay } from '@svc/web/account'
import { useAction } from '@svc/web/react'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { fill, type Words } from '../../../words/words.ts'

interface Props {
  email: string
  words: Words['signOutLink']
}

/** Mails a link that signs every device out, for a user who has none of them at hand. */
export function SignOutLink({ email, words }: Props) {
  const say = useSay()
  const [sent, setSent] = useState('')
  const { run, error, isRunning } = useAction(async () => {
    setSent('')
    const { expiresAt } = await api.mailSignOutLink.call()
    const time = new Intl.DateTimeFormat(say.dateLocale, { timeStyle: 'short' })
    setSent(fill(words.sent, { email, time: time.format(new Date(expiresAt)) }))
  })
  return (
    <Setting
      title={words.title}
      about={words.about}
      action={
        <Button isBusy={isRunning} onClick={() => void run()}>
          {isRunning ? words.sending : words.send}
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
