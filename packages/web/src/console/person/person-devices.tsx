import type { KeyListItem, UserDetails } from '@svc/auth'
import { useState } from 'react'
import {
  ConfirmButton,
  deviceName,
  Panel,
  placeWords,
  RelativeTime,
  useSay,
} from '../../account-pages/account-pages.ts'
import { ReasonField } from './reason-field.tsx'
import type { PersonAct } from './use-person-acts.ts'

interface Props {
  user: UserDetails
  now: number
  mayEnd: boolean
  isBusy: boolean
  onAct: (act: PersonAct) => void
}

/** Where a user is signed in, and their programs. */
export function PersonDevices({ user, ...rest }: Props) {
  const say = useSay()
  const keys = [...user.devices, ...user.machines]
  return (
    <Panel title={say('Devices')}>
      {keys.length === 0 && (
        <p className="svc-note">{say('This user is not signed in anywhere.')}</p>
      )}
      <ul className="svc-entries">
        {keys.map((device) => (
          <PersonDevice key={device.keyId} device={device} {...rest} />
        ))}
      </ul>
    </Panel>
  )
}

function PersonDevice({
  device,
  now,
  mayEnd,
  isBusy,
  onAct,
}: Omit<Props, 'user'> & { device: KeyListItem }) {
  const say = useSay()
  const [reason, setReason] = useState('')
  const name = deviceName(say, device)
  const { keyId, kind, createdAtMillis, lastUsedAtMillis, registeredIp } = device
  const time = (at: number) => <RelativeTime at={at} now={now} />
  return (
    <li className="svc-entry-box">
      <div className="svc-entry svc-entry-apart">
        <div className="svc-entry-text">
          <h3 className="svc-entry-title">
            <bdi>{name}</bdi>
            {kind === 'machine' && (
              <span className="svc-badge svc-badge-tiny">{say('Machine key')}</span>
            )}
            {kind === 'support' && (
              <span className="svc-badge svc-badge-tiny">{say('Support session')}</span>
            )}
          </h3>
          <p className="svc-note svc-above-half">
            {say.nodes('Signed in {since} from {place}', {
              since: time(createdAtMillis),
              place: placeWords(say, registeredIp),
            })}
            {' · '}
            {lastUsedAtMillis === undefined
              ? say('Not used yet')
              : say.nodes('Last used {since}', { since: time(lastUsedAtMillis) })}
          </p>
        </div>
        {mayEnd && (
          <ConfirmButton
            isBusy={isBusy}
            question={say('Sign {device} out? What it has let in is signed out too.', {
              device: name,
            })}
            choice={<ReasonField of={keyId} reason={reason} onChange={setReason} />}
            confirm={say('Yes, sign out')}
            onConfirm={() => onAct({ kind: 'sign out device', keyId, name, reason: reason.trim() })}
          >
            {say('Sign out')}
            <span className="svc-hidden"> {name}</span>
          </ConfirmButton>
        )}
      </div>
    </li>
  )
}
