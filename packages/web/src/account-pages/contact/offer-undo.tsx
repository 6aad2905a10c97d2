import type { Action } from '../../account/use-action.ts'
import type { ContactChange } from '../../account/use-contact-change.ts'
import { failureWords } from '../failures/failure-words.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Outcome } from '../ui/outcome.tsx'

interface Props {
  change: ContactChange
  undoing: Action<[], unknown>
}

/** What the link would restore, and the button that does it. */
export function OfferUndo({ change, undoing }: Props) {
  const say = useSay()
  const { kind, restores, expiresAt } = change
  const words = kind === 'email' ? ofEmail : ofPhone
  return (
    <div className="svc-stack svc-paragraph">
      <h2 tabIndex={-1} className="svc-title">
        {say('Was this not you?')}
      </h2>
      <p>
        {say.nodes(words.about, {
          restores: <strong className="svc-strong svc-break">{restores}</strong>,
          expiresAt: new Intl.DateTimeFormat(say.dateLocale, {
            dateStyle: 'long',
            timeStyle: 'short',
          }).format(expiresAt),
        })}
      </p>
      <p className="svc-faded">{say(words.effect)}</p>
      <Outcome problem={undoing.error ? failureWords(say, undoing.error) : ''} />
      <Button look="primary" isBusy={undoing.isRunning} onClick={() => void undoing.run()}>
        {undoing.isRunning ? say('Restoring it…') : say(words.restore)}
      </Button>
    </div>
  )
}

const ofEmail = {
  about:
    'The email of your account was changed. You can change it back to {restores} until {expiresAt}.',
  effect:
    'This signs out every device and removes the password, because the person who changed the email knew it. If you made the change, close this page.',
  restore: 'Restore the email',
} as const

const ofPhone = {
  about:
    'The phone number of your account was changed. You can change it back to {restores} until {expiresAt}.',
  effect:
    'This signs out every device and removes the password, because the person who changed the phone number knew it. If you made the change, close this page.',
  restore: 'Restore the phone number',
} as const
