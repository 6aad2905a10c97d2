import type { PasskeyItem } from '@svc/auth'
import { Button } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { PasskeySummary } from './passkey-summary.tsx'
import { countOfPasskeys, passkeyName } from './passkey-words.ts'
import { RenamePasskey } from './rename-passkey.tsx'
import type { usePasskeyList } from './use-passkey-list.ts'

interface Props
  extends Pick<
    ReturnType<typeof usePasskeyList>,
    'isBusy' | 'heading' | 'rename' | 'remove' | 'mark'
  > {
  passkeys: PasskeyItem[]
  now: number
}

export function PasskeyList({ passkeys, now, heading, ...actions }: Props) {
  return (
    <section
      aria-labelledby="passkeys"
      className="rounded-xl border border-line bg-sheet p-5 sm:p-6"
    >
      <h2 id="passkeys" ref={heading} tabIndex={-1} className="font-medium text-lg outline-none">
        {passkeys.length > 0 ? countOfPasskeys(passkeys.length) : 'No passkeys yet'}
      </h2>
      {passkeys.length > 0 ? <AboutMarks /> : <WhyPasskeys />}
      <ul className="divide-y divide-line">
        {passkeys.map((passkey) => (
          <li key={passkey.passkeyId} className="py-5 last:pb-0">
            <PasskeySummary passkey={passkey} now={now}>
              <PasskeyActions passkey={passkey} {...actions} />
            </PasskeySummary>
          </li>
        ))}
      </ul>
    </section>
  )
}

type ActionProps = Omit<Props, 'passkeys' | 'now' | 'heading'> & { passkey: PasskeyItem }

function PasskeyActions({ passkey, isBusy, rename, remove, mark }: ActionProps) {
  const name = passkeyName(passkey)
  return (
    <>
      <RenamePasskey
        passkey={passkey}
        isBusy={isBusy}
        onRename={(label) => rename(passkey, label)}
      />
      <Button isBusy={isBusy} onClick={() => void mark(passkey)}>
        {passkey.secondFactor ? 'No second step any more' : 'Use as a second step'}
        <span className="sr-only">: {name}</span>
      </Button>
      <ConfirmButton
        look="danger"
        isBusy={isBusy}
        question={`Remove ${name}? It opens this account no more. Your device may still offer it: delete it there too.`}
        confirm="Yes, remove it"
        onConfirm={() => void remove(passkey)}
      >
        Remove<span className="sr-only"> {name}</span>
      </ConfirmButton>
    </>
  )
}

function AboutMarks() {
  return (
    <p className="mt-1 max-w-prose text-faded text-sm">
      One that is a second step is asked for after your password, on a device that the account does
      not know: see <TextLink href="/account/security/two-step">Two-step sign-in</TextLink>.
    </p>
  )
}

function WhyPasskeys() {
  return (
    <p className="mt-1 max-w-prose text-faded text-sm leading-relaxed">
      With one you sign in faster than with a password, and there is nothing to remember, to steal
      or to type into the wrong page: it works on this site alone. Your password stays as it is.
    </p>
  )
}
