import type { ReactNode } from 'react'
import type { Device } from '../../account/use-devices.ts'
import { useSay } from '../provider/account-provider.tsx'
import { ExactTime } from '../ui/exact-time.tsx'
import { deviceName } from './device-words.ts'

/** Everything exactly, for who wants to compare. */
export function DeviceDetails({ device }: { device: Device }) {
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

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="svc-faded">{name}</dt>
      <dd className="svc-fact">{children}</dd>
    </>
  )
}
