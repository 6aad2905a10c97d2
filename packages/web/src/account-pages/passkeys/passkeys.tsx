'use client'

import { type ComponentProps, type FormEvent, useRef } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import { Button } from '../ui/button.tsx'
import { Field, formText } from '../ui/field.tsx'
import { Loading } from '../ui/loading.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { Panel } from '../ui/page.tsx'
import type { PageSlots } from '../ui/page-slots.ts'
import { useNow } from '../ui/relative-time.tsx'
import { PasskeyList } from './passkey-list.tsx'
import { usePasskeyList } from './use-passkey-list.ts'

interface PasskeysViewProps extends PageSlots {
  renderedAt: number
}

/** The passkeys of the user. */
export function PasskeysView({ renderedAt, ...slots }: PasskeysViewProps) {
  const say = useSay()
  return (
    <AccountPage
      title={say('Passkeys')}
      about={say(
        'Sign in with your fingerprint, your face or your screen lock instead of a password. You never type a passkey, so an attacker can’t trick you into revealing it.',
      )}
      {...slots}
    >
      <Passkeys renderedAt={renderedAt} />
    </AccountPage>
  )
}

/** The passkeys of an account, and the actions for them. */
function Passkeys({ renderedAt }: { renderedAt: number }) {
  const say = useSay()
  const now = useNow(renderedAt)
  const list = usePasskeyList()
  const { passkeys, loading } = list
  return (
    <div>
      <AddPasskey
        isSupported={list.isSupported}
        isBusy={list.isAdding}
        outcome={list.outcomeOfAdding}
        onAdd={list.add}
      />
      <div className="svc-above-5">
        {passkeys && <PasskeyList {...list} {...{ passkeys, now }} />}
        {!passkeys && (
          <Loading
            loading={loading}
            label={say('Loading your passkeys…')}
            problem={list.outcomeOfList.problem}
          />
        )}
      </div>
    </div>
  )
}

interface AddPasskeyProps {
  isSupported: boolean | null
  isBusy: boolean
  /** The result of the last action. */
  outcome: ComponentProps<typeof Outcome>
  /** Resolves to whether one was added. */
  onAdd: (label: string) => Promise<boolean>
}

function AddPasskey({ isSupported, isBusy, outcome, onAdd }: AddPasskeyProps) {
  const say = useSay()
  const form = useRef<HTMLFormElement>(null)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const label = formText(new FormData(event.currentTarget), 'label').trim()
    if (await onAdd(label)) form.current?.reset()
  }

  if (isSupported === false) {
    return (
      <Panel
        title={say('Add a passkey')}
        about={say(
          'This browser can’t use passkeys. Open this page in a newer browser or on your phone.',
        )}
      />
    )
  }
  return (
    <Panel
      title={say('Add a passkey')}
      about={say(
        'Your browser asks where to keep it: on this device, in your password manager, on your phone or on a security key.',
      )}
    >
      <form
        ref={form}
        method="post"
        noValidate
        onSubmit={(event) => void submit(event)}
        className="svc-stack svc-narrow"
      >
        <Field
          label={say('Name')}
          name="label"
          maxLength={64}
          autoComplete="off"
          hint={say(
            'A name that you will recognize. Without one, we name it after where it is stored.',
          )}
        />
        <div>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {isBusy ? say('Waiting for your browser…') : say('Add a passkey')}
          </Button>
        </div>
        <Outcome {...outcome} />
      </form>
    </Panel>
  )
}
