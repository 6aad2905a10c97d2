import type { Device } from '@svc/web/react'
import type { ReactNode } from 'react'
import { ExactTime } from '../ui/exact-time.tsx'
import { deviceName } from './device-words.ts'

/** Everything exactly, for who wants to compare. */
export function DeviceDetails({ device }: { device: Device }) {
  const { lastUsedAtMillis, createdAtMillis, expiresAtMillis } = device
  return (
    <details className="mt-2 text-sm">
      <summary className="w-fit cursor-pointer py-1 text-faded hover:text-ink">
        Details<span className="sr-only"> of {deviceName(device)}</span>
      </summary>
      <dl className="mt-2 grid gap-x-5 gap-y-1 sm:grid-cols-[max-content_minmax(0,1fr)]">
        {lastUsedAtMillis !== undefined && (
          <Fact name="Last used">
            <ExactTime at={lastUsedAtMillis} />
          </Fact>
        )}
        <Fact name="Signed in">
          <ExactTime at={createdAtMillis} />
        </Fact>
        {expiresAtMillis !== undefined && (
          <Fact name={device.binding ? 'Key expires' : 'Signed in until'}>
            <ExactTime at={expiresAtMillis} />
          </Fact>
        )}
        <Fact name="Address">{device.registeredIp ?? 'not known'}</Fact>
        <Fact name="Program">{device.registeredUserAgent ?? 'not known'}</Fact>
        <Fact name="Key">
          <code>{device.fingerprintPrefix}</code> ({device.algorithm})
        </Fact>
      </dl>
    </details>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faded">{name}</dt>
      <dd className="mb-1.5 break-words [overflow-wrap:anywhere] sm:mb-0">{children}</dd>
    </>
  )
}
