import type { WaitingDevice } from '../../account/use-device-approval.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { QuietButton } from '../ui/quiet-button.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { DeviceName } from './device-name.tsx'

interface Props {
  device: WaitingDevice
  decision: 'approved' | 'denied'
  onStartOver: () => void
}

/** What was decided, and the way on. */
export function Decided({ device, decision, onStartOver }: Props) {
  const paths = usePaths()
  const say = useSay()
  return (
    <div className="svc-stack">
      <div role="status">
        <h2 tabIndex={-1} className="svc-title">
          {decision === 'approved' ? say('Approved') : say('Denied')}
        </h2>
        <p className="svc-small svc-above-2">
          <DeviceName device={device} />
        </p>
        <p className="svc-paragraph svc-above-2">{say(words[decision])}</p>
      </div>
      {decision === 'approved' && (
        <p className="svc-small">
          <TextLink href={paths.devices}>{say('See your devices')}</TextLink>
        </p>
      )}
      <p className="svc-small">
        <QuietButton onClick={onStartOver}>{say('Link another device')}</QuietButton>
      </p>
    </div>
  )
}

const words = {
  approved: 'The device signs in as you in a moment. You have nothing else to do.',
  denied: 'The request was denied. The device is not signed in.',
} as const
