import { type ReactNode, useState } from 'react'
import type { Device } from '../../account/account.ts'
import { useAccount, useSay } from '../provider/account-provider.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Fact } from '../ui/fact.tsx'
import { Icon } from '../ui/icon.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { ExactTime } from '../ui/time.tsx'
import { DeviceIcon } from './device-icon.tsx'
import {
  bindingWords,
  deviceName,
  expiryWords,
  machineExpiryWords,
  namesOf,
  placeWords,
  signOutQuestion,
  supportWords,
} from './device-words.ts'

interface DeviceSummaryProps {
  device: Device
  now: number
  /** What can be done about it. */
  children: ReactNode
}

/** A device, described so that its owner recognises it. */
export function DeviceSummary({ device, now, children }: DeviceSummaryProps) {
  const say = useSay()
  const { isThis, kind, binding, goesWith } = device
  const { lastUsedAtMillis, createdAtMillis, concurrentUseAtMillis } = device
  const until = binding
    ? bindingWords(say, device.expiresAtMillis, now)
    : expiryWords(say, device.expiresAtMillis, now)
  return (
    <div className="svc-entry">
      <DeviceIcon device={device} />
      <div className="svc-entry-text">
        <h3 className="svc-entry-title">
          {deviceName(say, device)}
          {isThis && <span className="svc-badge svc-badge-fresh">{say('This device')}</span>}
          {kind === 'machine' && <span className="svc-badge">{say('Machine key')}</span>}
          {kind === 'support' && <span className="svc-badge">{say('Support session')}</span>}
          {binding && <span className="svc-badge">{say('Bound to a passkey')}</span>}
        </h3>
        <p className="svc-small svc-above-half">
          {isThis ? say('In use now') : <LastUsed at={lastUsedAtMillis} now={now} />}
        </p>
        {kind === 'machine' && <MachineKey device={device} now={now} />}
        {kind === 'support' && (
          <p className="svc-note svc-above-half">
            {supportWords(say, device.expiresAtMillis, now)}
          </p>
        )}
        {kind === undefined && (
          <p className="svc-note svc-above-half">
            {say.nodes('Signed in {since} from {place}. {until}', {
              since: <RelativeTime at={createdAtMillis} now={now} />,
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
  return <>{say.nodes('Last used {since}', { since: <RelativeTime at={at} now={now} /> })}</>
}

/** Every exact value, for users who want to compare. */
function DeviceDetails({ device }: { device: Device }) {
  const say = useSay()
  const { lastUsedAtMillis, createdAtMillis, expiresAtMillis } = device
  return (
    <details className="svc-small svc-above-2">
      <summary className="svc-disclosure">
        {say.nodes('Details<span> of {deviceName}</span>', {
          deviceName: deviceName(say, device),
          span: (text) => <span className="svc-hidden">{text}</span>,
        })}
      </summary>
      <dl className="svc-facts svc-facts-wide svc-above-2">
        {lastUsedAtMillis !== undefined && (
          <Fact name={say('Last used')}>
            <ExactTime at={lastUsedAtMillis} />
          </Fact>
        )}
        <Fact name={say('Signed in')}>
          <ExactTime at={createdAtMillis} />
        </Fact>
        {expiresAtMillis !== undefined && (
          <Fact name={device.binding ? say('Key expires') : say('Signed in until')}>
            <ExactTime at={expiresAtMillis} />
          </Fact>
        )}
        <Fact name={say('Address')}>{device.registeredIp ?? say('not known')}</Fact>
        <Fact name={say('Program')}>{device.registeredUserAgent ?? say('not known')}</Fact>
        <Fact name={say('Key')}>
          <code>{device.fingerprintPrefix}</code> ({device.algorithm})
        </Fact>
      </dl>
    </details>
  )
}

/** What a program with a key of its own may do, and for how long. */
function MachineKey({ device, now }: { device: Device; now: number }) {
  const { say, permissionWords } = useAccount()
  const { permissions = [], createdAtMillis, expiresAtMillis } = device
  return (
    <>
      <p className="svc-note svc-above-half">
        {say.nodes('Added {since}. {expiry}', {
          since: <RelativeTime at={createdAtMillis} now={now} />,
          expiry: machineExpiryWords(say, expiresAtMillis, now),
        })}
      </p>
      <p className="svc-note svc-above-half svc-break">
        {permissions.length > 0
          ? say('Permissions: {names}.', {
              names: permissions.map((name) => permissionWords[name] ?? name).join(', '),
            })
          : say('It has no permissions.')}
      </p>
    </>
  )
}

/**
 * One key was used at two addresses within minutes: the device changed its network, or there is a
 * copy.
 */
function UsedElsewhere({ at }: { at: number }) {
  const say = useSay()
  return (
    <div className="svc-warning">
      <Icon path="M12 4 2.5 20h19ZM12 10v4.5M12 17.3v.01" look="svc-icon-warning" />
      <div>
        <p className="svc-strong">{say('Also used from another place')}</p>
        <p className="svc-faded svc-above-1">
          {say.nodes(
            'Two network addresses used its key within a few minutes, on {time}. This is normal when a device changes from Wi-Fi to mobile data. If this one did not, sign it out and change your password.',
            { time: <ExactTime at={at} /> },
          )}
        </p>
      </div>
    </div>
  )
}

interface SignOutDeviceProps {
  device: Device
  isBusy: boolean
  onSignOut: (choice: { keepMade: boolean }) => void
}

/** Signs another device out, with what it has let in unless the user keeps that. */
export function SignOutDevice({ device, isBusy, onSignOut }: SignOutDeviceProps) {
  const say = useSay()
  const [keepMade, setKeepMade] = useState(false)
  const words = endWords(say, device)
  return (
    <ConfirmButton
      isBusy={isBusy}
      question={signOutQuestion(say, device)}
      choice={
        device.goesWith.length > 0 && (
          <div className="svc-small svc-above-3">
            <p className="svc-break">
              {say('This device also gave access to: {names}.', {
                names: namesOf(say, device.goesWith),
              })}
            </p>
            <label className="svc-choice svc-above-2">
              <input
                type="checkbox"
                checked={!keepMade}
                onChange={({ target }) => setKeepMade(!target.checked)}
                className="svc-check"
              />
              {say('Sign these out too')}
            </label>
          </div>
        )
      }
      confirm={words.confirm}
      onConfirm={() => onSignOut({ keepMade })}
    >
      {words.button}
      <span className="svc-hidden"> {deviceName(say, device)}</span>
    </ConfirmButton>
  )
}

function endWords(say: ReturnType<typeof useSay>, { kind }: Pick<Device, 'kind'>) {
  if (kind === 'machine') return { button: say('Remove'), confirm: say('Yes, remove it') }
  if (kind === 'support') return { button: say('End'), confirm: say('Yes, end it') }
  return { button: say('Sign out'), confirm: say('Yes, sign out') }
}
