import type { WaitingDevice } from '../../account/use-device-approval.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { QuietButton } from '../ui/quiet-button.tsx'
import { approvalFailure } from './approval-failure.ts'
import { WaitingFacts } from './waiting-facts.tsx'

interface Props {
  /** A user can't recognise a device by its code, which its sender has chosen: the code is not shown at all. */
  device: WaitingDevice
  /** Who is signed in here, and will be there. */
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
  // An API that does not say which device it is must not get an approval for it.
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
      {say('The API does not say which device this is, so you can’t approve it.')}
    </p>
  )
}
