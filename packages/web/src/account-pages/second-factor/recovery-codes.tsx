import type { MfaStatus } from '@svc/auth'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { saveText, useCopy } from '../ui/copy.ts'
import { Outcome } from '../ui/outcome.tsx'
import { useLeaveWarning } from '../ui/use-leave-warning.ts'
import type { Say } from '../words/say.ts'

interface Props {
  codes: readonly string[]
  account: string
  /** The second step as it was before the codes were made. */
  before: MfaStatus | null
  /** The user has stored them, so the page forgets them. */
  onKept: () => void
}

/** New recovery codes. The server stores no copy that it could show again. */
export function RecoveryCodes({ codes, account, before, onKept }: Props) {
  const say = useSay()
  useLeaveWarning(say('Leave without saving your recovery codes? You can’t see them again.'))
  const { copy, ...copied } = useCopy()
  const file = () => codesFile(say, codes, { account, host: location.host, at: new Date() })
  return (
    <section className="svc-sheet svc-sheet-edge svc-stack">
      <div>
        <h2 tabIndex={-1} className="svc-title">
          {say('Save your recovery codes')}
        </h2>
        <p className="svc-prose svc-paragraph svc-above-1">
          {before?.enrolled === false && <>{say('Two-step sign-in is on now.')}</>}{' '}
          <>
            {say.nodes(
              'If you lose your phone or passkey, each code signs you in once. <strong>We show them only once.</strong> Save them where you keep your passwords, or on paper.',
              { strong: (text) => <strong className="svc-strong">{text}</strong> },
            )}
          </>{' '}
          {before && before.recoveryCodesRemaining > 0 && (
            <>{say('Your old codes no longer work.')}</>
          )}
        </p>
      </div>
      <ul aria-label={say('Recovery codes')} className="svc-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="svc-row">
        <Button onClick={() => saveText(file())}>{say('Download')}</Button>
        <Button onClick={() => void copy(codes.join('\n'))}>{say('Copy')}</Button>
      </div>
      <Outcome {...copied} />
      <div className="svc-part">
        <Button look="primary" onClick={onKept}>
          {say('I have saved them')}
        </Button>
      </div>
    </section>
  )
}

interface Given {
  account: string
  /** The host that the codes are for. */
  host: string
  at: Date
}

/**
 * The text of the file with recovery codes. It explains itself to a reader who finds it after a
 * year.
 */
export function codesFile(say: Say, codes: readonly string[], { account, host, at }: Given) {
  const day = at.toISOString().slice(0, 10)
  return {
    name: `recovery-codes-${host.replace(/[^a-z0-9.-]/gi, '-')}.txt`,
    text: [
      say('Recovery codes of {account} for {host}', { account, host }),
      say('Made on {day}. Older codes no longer work.', { day }),
      say('Each works once, in place of your authenticator app or passkey.'),
      '',
      ...codes,
      '',
    ].join('\n'),
  }
}
