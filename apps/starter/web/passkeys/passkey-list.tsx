import type { PasskeyItem } from '@svc/auth'
import { Button } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { PasskeySummary } from './passkey-summary.tsx'
import { countOfPasskeys, passkeyName } from './passkey-words.ts'
import { RenamePasskey } from './rename-passkey.tsx'
import type { usePasskeyList } from './use-passkey-list.ts'

interface Props
  extends Pick<
    ReturnType<typeof usePasskeyList>,
    'isBusy' | 'heading' | 'rename' | 'remove' | 'mark' | 'outcomeOfList' | 'outcomeAt' | 'lostWith'
  > {
  passkeys: PasskeyItem[]
  now: number
}

export function PasskeyList({ passkeys, now, heading, outcomeOfList, ...actions }: Props) {
  return (
    <section
      aria-labelledby="passkeys"
      className="rounded-xl border border-line bg-sheet p-5 sm:p-6"
    >
      <h2 id="passkeys" ref={heading} tabIndex={-1} className="font-medium text-lg outline-none">
        {passkeys.length > 0 ? countOfPasskeys(passkeys.length) : 'No passkeys yet'}
      </h2>
      {passkeys.length > 0 ? <AboutMarks /> : <WhyPasskeys />}
      <Outcome {...outcomeOfList} />
      <ul className="divide-y divide-line">
        {passkeys.map((passkey) => (
          <li key={passkey.passkeyId} className="py-5 last:pb-0">
            <PasskeySummary passkey={passkey} now={now}>
              <PasskeyActions passkey={passkey} {...actions} />
            </PasskeySummary>
            <div className="has-[p:not(:empty)]:mt-3">
              <Outcome {...actions.outcomeAt(passkey.passkeyId)} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

type ActionProps = Omit<Props, 'passkeys' | 'now' | 'heading' | 'outcomeOfList' | 'outcomeAt'> & {
  passkey: PasskeyItem
}

function PasskeyActions({ passkey, isBusy, lostWith, ...actions }: ActionProps) {
  const { rename, remove, mark } = actions
  const name = passkeyName(passkey)
  const removal = [
    `Remove ${name}? You can no longer sign in with it.`,
    ...lostWith(passkey),
    elsewhere,
  ]
  return (
    <>
      <RenamePasskey
        passkey={passkey}
        isBusy={isBusy}
        onRename={(label) => rename(passkey, label)}
      />
      <Button isBusy={isBusy} onClick={() => void mark(passkey)}>
        {passkey.secondFactor ? 'Stop using as second step' : 'Use as a second step'}
        <span className="sr-only">: {name}</span>
      </Button>
      <ConfirmButton
        look="danger"
        isBusy={isBusy}
        question={removal.join(' ')}
        confirm="Yes, remove it"
        onConfirm={() => void remove(passkey)}
      >
        Remove<span className="sr-only"> {name}</span>
      </ConfirmButton>
    </>
  )
}

const elsewhere = 'Your device may still offer it, so delete it there too.'

function AboutMarks() {
  return (
    <p className="mt-1 max-w-prose text-faded text-sm">
      You can use a passkey as a second step. On a new device, you confirm your password with it:
      see <TextLink href="/account/security/two-step">Two-step sign-in</TextLink>.
    </p>
  )
}

function WhyPasskeys() {
  return (
    <p className="mt-1 max-w-prose text-faded text-sm leading-relaxed">
      With a passkey you sign in faster, and have no password to remember. It works only on this
      site, so you can’t give it to a fake page by mistake. Your password stays the same.
    </p>
  )
}
