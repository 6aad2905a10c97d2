import type { UserDetails } from '@svc/auth'
import { useState } from 'react'
import {
  type AccountSentence,
  ConfirmButton,
  Panel,
  useSay,
} from '../../account-pages/account-pages.ts'
import { userName } from '../user-words.ts'
import { ReasonField } from './reason-field.tsx'
import type { PersonAct, WholeAccountAct } from './use-person-acts.ts'

interface Props {
  user: UserDetails
  may: { write: boolean; close: boolean }
  isBusy: boolean
  onAct: (act: PersonAct) => void
}

/** What the operator may do about the whole account, as it is now. */
export function PersonActs({ user, may, isBusy, onAct }: Props) {
  const say = useSay()
  const offered = offeredFor(user, may)
  if (offered.length === 0) return null
  return (
    <Panel
      title={say('Help this user')}
      about={say('Each is in the audit trail with your user id and the reason.')}
    >
      <ul className="svc-entries">
        {offered.map((kind) => (
          <AccountAct key={kind} {...{ kind, user, isBusy, onAct }} />
        ))}
      </ul>
    </Panel>
  )
}

function AccountAct({
  kind,
  user,
  isBusy,
  onAct,
}: Pick<Props, 'user' | 'isBusy' | 'onAct'> & { kind: WholeAccountAct }) {
  const say = useSay()
  const [reason, setReason] = useState('')
  const { about, button, question, confirm } = words[kind]
  return (
    <li className="svc-entry-box">
      <div className="svc-entry svc-entry-apart">
        <p className="svc-entry-text">{say(about)}</p>
        <ConfirmButton
          isBusy={isBusy}
          look={kind === 'close' || kind === 'suspend' ? 'danger' : 'plain'}
          question={say(question, { user: userName(user) })}
          choice={<ReasonField of={kind} reason={reason} onChange={setReason} />}
          confirm={say(confirm)}
          onConfirm={() => onAct({ kind, reason: reason.trim() })}
        >
          {say(button)}
        </ConfirmButton>
      </div>
    </li>
  )
}

function offeredFor({ status, hasPassword, devices, machines }: UserDetails, may: Props['may']) {
  const kinds: WholeAccountAct[] = []
  if (may.write && status === 'active') {
    if (devices.length + machines.length > 0) kinds.push('sign out')
    if (hasPassword) kinds.push('require password')
    kinds.push('suspend')
  }
  if (may.write && status === 'suspended') kinds.push('reactivate')
  if (may.close && status === 'active') kinds.push('close')
  if (may.close && status === 'pending_deletion') kinds.push('restore')
  return kinds
}

interface Words {
  about: AccountSentence
  button: AccountSentence
  question: AccountSentence & `${string}{user}${string}`
  confirm: AccountSentence
}

const words = {
  'sign out': {
    about: 'A device is lost, or was left somewhere: sign out all of them.',
    button: 'Sign out everywhere',
    question: 'Sign {user} out of all devices and programs?',
    confirm: 'Yes, sign out',
  },
  'require password': {
    about: 'The password may be known to others: the user must choose another one.',
    button: 'Require a new password',
    question: 'Require a new password of {user}?',
    confirm: 'Yes, require it',
  },
  suspend: {
    about: 'The account is misused: refuse all sign-ins, until you allow them again.',
    button: 'Suspend',
    question: 'Suspend {user}, and sign out all devices?',
    confirm: 'Yes, suspend',
  },
  reactivate: {
    about: 'The account is suspended. Its devices stay signed out when you allow sign-ins again.',
    button: 'Allow sign-ins again',
    question: 'Allow {user} to sign in again?',
    confirm: 'Yes, allow it',
  },
  close: {
    about:
      'The user wants to leave: close the account. It is deleted when its grace period is over.',
    button: 'Close the account',
    question: 'Close the account of {user}?',
    confirm: 'Yes, close it',
  },
  restore: {
    about: 'The account is closed, and will be deleted. Until then you can restore it.',
    button: 'Restore the account',
    question: 'Restore the account of {user}?',
    confirm: 'Yes, restore it',
  },
} as const satisfies Record<WholeAccountAct, Words>
