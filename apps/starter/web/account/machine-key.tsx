import type { Device } from '@svc/web/react'
import { RelativeTime } from '../board/relative-time.tsx'
import { machineExpiryWords } from './device-words.ts'

/** What a program may do that signs with a key of its own, and for how long. */
export function MachineKey({ device, now }: { device: Device; now: number }) {
  const { permissions = [], createdAtMillis, expiresAtMillis } = device
  return (
    <>
      <p className="mt-0.5 text-faded text-sm">
        Added <RelativeTime at={new Date(createdAtMillis).toISOString()} now={now} />.{' '}
        {machineExpiryWords(expiresAtMillis, now)}
      </p>
      <p className="mt-0.5 text-faded text-sm [overflow-wrap:anywhere]">
        {permissions.length > 0
          ? `Permissions: ${permissions.join(', ')}.`
          : 'It has no permissions.'}
      </p>
    </>
  )
}
