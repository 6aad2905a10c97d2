import type { MachineItem } from '@svc/auth'
import {
  ConfirmButton,
  deviceName,
  ExactTime,
  RelativeTime,
  TextLink,
  useSay,
} from '../../account-pages/account-pages.ts'
import { useConsolePlaces } from '../console-places.tsx'
import { userName } from '../user-words.ts'

interface Props {
  machine: MachineItem
  now: number
  mayEnd: boolean
  isBusy: boolean
  onEnd: () => void
}

/** The key of a machine, with its owner and what it may do. */
export function MachineRow({ machine, now, mayEnd, isBusy, onEnd }: Props) {
  const say = useSay()
  const { people } = useConsolePlaces()
  const { owner, permissions, lastUsedAt, expiresAt, isExpired } = machine
  const name = deviceName(say, {
    kind: 'machine',
    ...(machine.name !== undefined && { deviceName: machine.name }),
  })
  return (
    <li className="svc-entry-box">
      <div className="svc-entry svc-entry-apart">
        <div className="svc-entry-text svc-entry-text-wide">
          <h3 className="svc-entry-title">
            <bdi>{name}</bdi>
            {isExpired && <span className="svc-badge svc-badge-tiny">{say('Expired')}</span>}
          </h3>
          <p className="svc-small svc-above-half svc-break">
            {say.nodes('Of {owner}', {
              owner:
                people === null ? (
                  <bdi>{userName(owner)}</bdi>
                ) : (
                  <TextLink isAlone href={`${people}/${owner.userId}`}>
                    <bdi>{userName(owner)}</bdi>
                  </TextLink>
                ),
            })}
          </p>
          <p className="svc-note svc-above-half">
            {lastUsedAt === undefined
              ? say('Not used yet')
              : say.nodes('Last used {since}', {
                  since: <RelativeTime at={lastUsedAt} now={now} />,
                })}
            {' · '}
            {say.nodes('until {time}', { time: <ExactTime at={Date.parse(expiresAt)} /> })}
          </p>
          <p className="svc-note svc-above-half svc-break">
            {say('Permissions: {names}.', { names: permissions.join(', ') || say('none') })}
          </p>
        </div>
        {mayEnd && (
          <ConfirmButton
            isBusy={isBusy}
            question={say('End the key of {name}? The program can no longer use it.', { name })}
            confirm={say('Yes, end it')}
            onConfirm={onEnd}
          >
            {say('End')}
            <span className="svc-hidden"> {name}</span>
          </ConfirmButton>
        )}
      </div>
    </li>
  )
}
