import type { Action, ContactChange } from '@svc/web/react'
import { Button } from '../ui/button.tsx'
import { failureWords } from '../ui/failure-words.ts'
import { Outcome } from '../ui/outcome.tsx'

interface Props {
  change: ContactChange
  undoing: Action<[], unknown>
}

/** What the link would restore, and the button that does it. */
export function OfferUndo({ change, undoing }: Props) {
  const { kind, restores, expiresAt } = change
  const what = kind === 'email' ? 'email' : 'phone number'
  return (
    <div className="grid gap-4 text-sm leading-relaxed">
      <h2 tabIndex={-1} className="font-medium text-lg outline-none">
        Was this not you?
      </h2>
      <p>
        The {what} of your account was changed. You can change it back to{' '}
        <strong className="font-medium break-words">{restores}</strong> until{' '}
        {moment.format(expiresAt)}.
      </p>
      <p className="text-faded">
        This signs out every device and removes the password, because the person who changed the{' '}
        {what} knew it. If you made the change, close this page.
      </p>
      <Outcome problem={undoing.error ? failureWords(undoing.error) : ''} />
      <Button look="primary" isBusy={undoing.isRunning} onClick={() => void undoing.run()}>
        {undoing.isRunning ? 'Restoring it…' : `Restore the ${what}`}
      </Button>
    </div>
  )
}

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' })
