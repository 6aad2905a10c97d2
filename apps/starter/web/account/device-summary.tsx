import type { Device } from '@svc/web/react'
import type { ReactNode } from 'react'
import { RelativeTime } from '../board/relative-time.tsx'
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
  const { isThis, kind, binding, goesWith } = device
  const { lastUsedAtMillis, createdAtMillis, concurrentUseAtMillis } = device
  const untilWords = binding ? bindingWords : expiryWords
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <DeviceIcon kind={deviceKind(device)} />
      <div className="min-w-0 flex-1 basis-52">
        <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 break-words font-medium">
          {deviceName(device)}
          {isThis && (
            <span className="rounded-full bg-fresh px-2.5 py-0.5 font-normal text-sm">
              This device
            </span>
          )}
          {kind === 'machine' && (
            <span className="rounded-full border border-line px-2.5 py-0.5 font-normal text-faded text-sm">
              Machine key
            </span>
          )}
          {binding && (
            <span className="rounded-full border border-line px-2.5 py-0.5 font-normal text-faded text-sm">
              Bound to a passkey
            </span>
          )}
        </h3>
        <p className="mt-0.5 text-sm">
          {isThis ? 'In use now' : <LastUsed at={lastUsedAtMillis} now={now} />}
        </p>
        {kind === 'machine' ? (
          <MachineKey device={device} now={now} />
        ) : (
          <p className="mt-0.5 text-faded text-sm">
            Signed in <Since at={createdAtMillis} now={now} /> from{' '}
            {placeWords(device.registeredIp)}. {untilWords(device.expiresAtMillis, now)}
          </p>
        )}
        {goesWith.length > 0 && (
          <p className="mt-0.5 text-faded text-sm [overflow-wrap:anywhere]">
            Gave access to: {namesOf(goesWith)}.
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
  if (at === undefined) return 'Not used yet'
  return (
    <>
      Last used <Since at={at} now={now} />
    </>
  )
}

function Since({ at, now }: { at: number; now: number }) {
  return <RelativeTime at={new Date(at).toISOString()} now={now} />
}
