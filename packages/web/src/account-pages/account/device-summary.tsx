import type { ReactNode } from 'react'
import type { Device } from '../../account/use-devices.ts'
import { useSay } from '../provider/account-provider.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { DeviceDetails } from './device-details.tsx'
import { DeviceIcon } from './device-icon.tsx'
import {
  bindingWords,
  deviceKind,
  deviceName,
  expiryWords,
  namesOf,
  placeWords,
} from './device-words.ts'
import { MachineKey } from './machine-key.tsx'
import { UsedElsewhere } from './used-elsewhere.tsx'

interface Props {
  device: Device
  now: number
  /** What can be done about it. */
  children: ReactNode
}

/** A device as its owner knows it again. */
export function DeviceSummary({ device, now, children }: Props) {
  const say = useSay()
  const { isThis, kind, binding, goesWith } = device
  const { lastUsedAtMillis, createdAtMillis, concurrentUseAtMillis } = device
  const until = binding
    ? bindingWords(say, device.expiresAtMillis, now)
    : expiryWords(say, device.expiresAtMillis, now)
  return (
    <div className="svc-entry">
      <DeviceIcon kind={deviceKind(device)} />
      <div className="svc-entry-text">
        <h3 className="svc-entry-title">
          {deviceName(say, device)}
          {isThis && <span className="svc-badge svc-badge-fresh">{say('This device')}</span>}
          {kind === 'machine' && <span className="svc-badge">{say('Machine key')}</span>}
          {binding && <span className="svc-badge">{say('Bound to a passkey')}</span>}
        </h3>
        <p className="svc-small svc-above-half">
          {isThis ? say('In use now') : <LastUsed at={lastUsedAtMillis} now={now} />}
        </p>
        {kind === 'machine' ? (
          <MachineKey device={device} now={now} />
        ) : (
          <p className="svc-note svc-above-half">
            {say.nodes('Signed in {since} from {place}. {until}', {
              since: <Since at={createdAtMillis} now={now} />,
              place: placeWords(say, device.registeredIp),
              until,
            })}
          </p>
        )}
        {goesWith.length > 0 && (
          <p className="svc-note svc-above-half svc-break">
            {say('Gave access to: {names}.', { names: namesOf(say, goesWith) })}
          </p>
        )}
        {concurrentUseAtMillis !== undefined && <UsedElsewhere at={concurrentUseAtMillis} />}
        <DeviceDetails device={device} />
      </div>
      {children}
    </div>
  )
}

function LastUsed({ at, now }: { at: number | undefined; now: number }) {
  const say = useSay()
  if (at === undefined) return say('Not used yet')
  return <>{say.nodes('Last used {since}', { since: <Since at={at} now={now} /> })}</>
}

function Since({ at, now }: { at: number; now: number }) {
  return <RelativeTime at={new Date(at).toISOString()} now={now} />
}
