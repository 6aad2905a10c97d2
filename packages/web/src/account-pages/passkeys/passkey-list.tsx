import type { PasskeyItem } from '@svc/auth'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Button, TextLink } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Field, formText } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { LastUsed, RelativeTime } from '../ui/relative-time.tsx'
import { countOfPasskeys, keptWhere, passkeyName } from './passkey-words.ts'
import type { usePasskeyList } from './use-passkey-list.ts'

interface PasskeyListProps
  extends Pick<
    ReturnType<typeof usePasskeyList>,
    'isBusy' | 'heading' | 'rename' | 'remove' | 'mark' | 'outcomeOfList' | 'outcomeAt' | 'lostWith'
  > {
  passkeys: PasskeyItem[]
  now: number
}

export function PasskeyList({
  passkeys,
  now,
  heading,
  outcomeOfList,
  ...actions
}: PasskeyListProps) {
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

type ActionProps = Omit<
  PasskeyListProps,
  'passkeys' | 'now' | 'heading' | 'outcomeOfList' | 'outcomeAt'
> & {
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

interface PasskeySummaryProps {
  passkey: PasskeyItem
  now: number
  /** What can be done about it. */
  children: ReactNode
}

/** A passkey, described so that its owner recognises it. */
function PasskeySummary({ passkey, now, children }: PasskeySummaryProps) {
  const say = useSay()
  const { createdAtMillis, lastUsedAtMillis, secondFactor } = passkey
  return (
    <div className="svc-entry">
      <PasskeyIcon />
      <div className="svc-entry-text">
        <h3 className="svc-entry-title">
          <bdi>{passkeyName(say, passkey)}</bdi>
          {secondFactor && <span className="svc-badge svc-badge-fresh">{say('Second step')}</span>}
        </h3>
        <p className="svc-small svc-above-half">{keptWhere(say, passkey)}</p>
        <p className="svc-note svc-above-half">
          <>
            {say.nodes('Added {since}.', {
              since: <RelativeTime at={createdAtMillis} now={now} />,
            })}
          </>{' '}
          <LastUsed at={lastUsedAtMillis} now={now} />
        </p>
      </div>
      <div className="svc-row svc-row-whole">{children}</div>
    </div>
  )
}

/** A key: it makes a list quick to read. */
function PasskeyIcon() {
  return (
    <span className="svc-tile">
      <Icon path="M15.5 3.5a5 5 0 1 1-2.2 9.5L10 16.3V19H7.3v2.5H3.5v-4l7-7a5 5 0 0 1 5-7ZM16.5 7.5v.01" />
    </span>
  )
}

interface RenamePasskeyProps {
  passkey: PasskeyItem
  isBusy: boolean
  /** Resolves to whether it has the name now. */
  onRename: (label: string) => Promise<boolean>
}

/** A button that becomes a form. */
function RenamePasskey({ passkey, isBusy, onRename }: RenamePasskeyProps) {
  const say = useSay()
  const [isOpen, setOpen] = useState(false)
  const [missing, setMissing] = useState('')
  const hasOpened = useRef(false)
  const opener = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLFormElement>(null)

  // The button that had the focus was replaced, so the focus goes to its replacement.
  useEffect(() => {
    if (isOpen) form.current?.querySelector('input')?.select()
    else if (hasOpened.current) opener.current?.focus()
    hasOpened.current = isOpen
  }, [isOpen])

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const label = formText(new FormData(event.currentTarget), 'label').trim()
    setMissing(label ? '' : say('Enter a name.'))
    if (label && (await onRename(label))) setOpen(false)
  }

  if (!isOpen) {
    return (
      <Button ref={opener} onClick={() => setOpen(true)}>
        {say('Rename')}
        <span className="svc-hidden"> {passkeyName(say, passkey)}</span>
      </Button>
    )
  }
  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
      className="svc-question svc-stack svc-stack-3"
    >
      <Field
        label={say('Name')}
        name="label"
        maxLength={64}
        autoComplete="off"
        defaultValue={passkey.label}
        problem={missing}
      />
      <div className="svc-row">
        <Button type="submit" look="primary" isBusy={isBusy}>
          {isBusy ? say('Saving…') : say('Save')}
        </Button>
        <Button onClick={() => setOpen(false)}>{say('Cancel')}</Button>
      </div>
    </form>
  )
}
