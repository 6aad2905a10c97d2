import type { PasskeyItem } from '@svc/auth'
import { usePaths, useSay } from '../provider/account-provider.tsx'
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
  const say = useSay()
  return (
    <section aria-labelledby="passkeys" className="svc-sheet">
      <h2 id="passkeys" ref={heading} tabIndex={-1} className="svc-title">
        {passkeys.length > 0 ? countOfPasskeys(say, passkeys.length) : say('No passkeys yet')}
      </h2>
      {passkeys.length > 0 ? <AboutMarks /> : <WhyPasskeys />}
      <Outcome {...outcomeOfList} />
      <ul className="svc-entries">
        {passkeys.map((passkey) => (
          <li key={passkey.passkeyId} className="svc-entry-box">
            <PasskeySummary passkey={passkey} now={now}>
              <PasskeyActions passkey={passkey} {...actions} />
            </PasskeySummary>
            <div className="svc-outcome-box">
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
  const say = useSay()
  const { rename, remove, mark } = actions
  const name = passkeyName(say, passkey)
  const removal = [
    say('Remove {name}? You can no longer sign in with it.', { name }),
    ...lostWith(passkey),
    say('Your device may still offer it, so delete it there too.'),
  ]
  return (
    <>
      <RenamePasskey
        passkey={passkey}
        isBusy={isBusy}
        onRename={(label) => rename(passkey, label)}
      />
      <Button isBusy={isBusy} onClick={() => void mark(passkey)}>
        {passkey.secondFactor ? say('Stop using as second step') : say('Use as a second step')}
        <span className="svc-hidden">: {name}</span>
      </Button>
      <ConfirmButton
        look="danger"
        isBusy={isBusy}
        question={removal.join(' ')}
        confirm={say('Yes, remove it')}
        onConfirm={() => void remove(passkey)}
      >
        {say('Remove')}
        <span className="svc-hidden"> {name}</span>
      </ConfirmButton>
    </>
  )
}

function AboutMarks() {
  const paths = usePaths()
  const say = useSay()
  return (
    <p className="svc-note svc-prose svc-above-1">
      {say.nodes(
        'You can use a passkey as a second step. On a new device, you confirm your password with it: see <link>Two-step sign-in</link>.',
        { link: (text) => <TextLink href={paths.twoStep}>{text}</TextLink> },
      )}
    </p>
  )
}

function WhyPasskeys() {
  const say = useSay()
  return (
    <p className="svc-note svc-prose svc-paragraph svc-above-1">
      {say(
        'With a passkey you sign in faster, and have no password to remember. It works only on this site, so you can’t give it to a fake page by mistake. Your password stays the same.',
      )}
    </p>
  )
}
