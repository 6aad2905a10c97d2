import {
  DeviceAuthAlreadyHandledError,
  DeviceAuthExpiredError,
  DeviceAuthNotFoundError,
} from '@svc/auth'
import { ValidationError } from '@svc/core/client'
import type { WaitingDevice } from '../../account/account.ts'
import { DeviceIcon } from '../account/device-icon.tsx'
import { failureWords } from '../failures/failure-words.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button, QuietButton } from '../ui/button.tsx'
import { Fact } from '../ui/fact.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { RelativeTime, useNow } from '../ui/relative-time.tsx'
import type { Say } from '../words/say.ts'
import { DeviceName, TimeLeft } from './device-facts.tsx'

interface Props {
  /** A user can't recognise a device by its code, which its sender has chosen: the code is not shown at all. */
  device: WaitingDevice
  /** The user who is signed in here, and will be signed in on the device. */
  as: string
  error: unknown
  isBusy: boolean
  onApprove: () => void
  onDeny: () => void
  onStartOver: () => void
}

/** Shows the device that waits, and asks whether it may sign in. */
export function Approval({ device, as, error, isBusy, ...on }: Props) {
  const say = useSay()
  // An API that doesn't say which device it is must not get an approval for it.
  const isKnown = Boolean(device.fingerprintPrefix && device.requestedAtMillis)
  return (
    <div className="svc-stack svc-stack-5">
      <h2 tabIndex={-1} className="svc-title">
        {say('Is this the device in front of you?')}
      </h2>
      {isKnown ? <WaitingFacts device={device} /> : <Unknown />}
      {isKnown && (
        <p className="svc-paragraph">
          {say.nodes('Key {key}: does the device show the same key? If not, deny the request.', {
            key: <code>{device.fingerprintPrefix}</code>,
          })}
        </p>
      )}
      <p className="svc-boxed">
        {say.nodes(
          '<strong>Approve only a device that is in front of you.</strong> It signs in as {as}. If someone sent you this code or asks you for it, deny the request.',
          {
            strong: (text) => <strong className="svc-strong">{text}</strong>,
            as: <bdi className="svc-break">{as}</bdi>,
          },
        )}
      </p>
      <Outcome problem={error ? approvalFailure(say, error) : ''} />
      <div className="svc-row">
        {isKnown && (
          <Button look="primary" isBusy={isBusy} onClick={on.onApprove}>
            {say('Approve')}
          </Button>
        )}
        <Button look="danger" isBusy={isBusy} onClick={on.onDeny}>
          {say('Deny')}
        </Button>
      </div>
      <p className="svc-small">
        <QuietButton onClick={on.onStartOver}>{say('Enter another code')}</QuietButton>
      </p>
    </div>
  )
}

function Unknown() {
  const say = useSay()
  return (
    <p role="alert" className="svc-problem svc-small">
      {say('We don’t know which device this is, so you can’t approve it.')}
    </p>
  )
}

/** What a user recognises a waiting device by. The device has chosen its name itself. */
function WaitingFacts({ device }: { device: WaitingDevice }) {
  const say = useSay()
  const now = useNow(Date.now())
  const { platform, fingerprintPrefix, requestedAtMillis, expiresAtMillis } = device
  return (
    <div className="svc-device">
      <DeviceIcon device={device} />
      <div className="svc-entry-text">
        <h3 className="svc-strong">
          <DeviceName device={device} />
        </h3>
        <dl className="svc-facts svc-small svc-above-2">
          <Fact name={say('Kind')}>{platformWords(say, platform)}</Fact>
          <Fact name={say('Key')}>
            <code>{fingerprintPrefix}</code>
          </Fact>
          <Fact name={say('Asked')}>
            <RelativeTime at={requestedAtMillis} now={now} />
          </Fact>
          <Fact name={say('Expires in')}>
            <TimeLeft until={expiresAtMillis} />
          </Fact>
        </dl>
      </div>
    </div>
  )
}

/** What a person can do about a code that was refused, or not decided. */
export function approvalFailure(say: Say, error: unknown) {
  if (error instanceof DeviceAuthAlreadyHandledError) {
    return say(
      'This code was already approved or denied. To try again, show a new code on the device.',
    )
  }
  if (error instanceof DeviceAuthExpiredError) {
    return say('This code has expired. Show a new one on the device.')
  }
  // Another user may have looked at it first. The API does not tell these apart, on purpose.
  if (error instanceof DeviceAuthNotFoundError || error instanceof ValidationError) {
    return say('No device is waiting with this code. Compare it with the code on the device.')
  }
  return failureWords(say, error)
}

const words = {
  ios: 'iPhone or iPad',
  android: 'Android',
  web: 'Web browser',
  desktop: 'Desktop app',
} as const

/** The platform that a device says it runs on. */
export function platformWords(say: Say, platform: WaitingDevice['platform']) {
  // A newer API may know a platform that this page does not.
  const known = platform && words[platform]
  return known ? say(known) : say('Unknown')
}
