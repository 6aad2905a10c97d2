import type { WaitingDevice } from '@svc/web/react'
import { Button } from '../ui/button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { QuietButton } from '../ui/quiet-button.tsx'
import { approvalFailure } from './approval-failure.ts'
import { WaitingFacts } from './waiting-facts.tsx'

interface Props {
  /** Nobody can recognise a device by its code, which whoever sent it has chosen: the code is not shown at all. */
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
  // An API that does not say which device it is must not get an approval for it.
  const isKnown = Boolean(device.fingerprintPrefix && device.requestedAtMillis)
  return (
    <div className="grid gap-5">
      <h2 tabIndex={-1} className="font-medium text-lg outline-none">
        Is this the device in front of you?
      </h2>
      {isKnown ? <WaitingFacts device={device} /> : <Unknown />}
      {isKnown && (
        <p className="text-sm leading-relaxed">
          Key <code>{device.fingerprintPrefix}</code>: does the device show the same key? If not,
          deny the request.
        </p>
      )}
      <p className="rounded-lg border border-edge bg-paper p-4 text-sm leading-relaxed">
        <strong className="font-medium">Approve only a device that is in front of you.</strong> It
        signs in as <bdi className="[overflow-wrap:anywhere]">{as}</bdi>. If someone sent you this
        code or asks you for it, deny the request.
      </p>
      <Outcome problem={error ? approvalFailure(error) : ''} />
      <div className="flex flex-wrap gap-3">
        {isKnown && (
          <Button look="primary" isBusy={isBusy} onClick={on.onApprove}>
            Approve
          </Button>
        )}
        <Button look="danger" isBusy={isBusy} onClick={on.onDeny}>
          Deny
        </Button>
      </div>
      <p className="text-sm">
        <QuietButton onClick={on.onStartOver}>Enter another code</QuietButton>
      </p>
    </div>
  )
}

function Unknown() {
  return (
    <p role="alert" className="text-danger text-sm">
      The API does not say which device this is, so you can’t approve it.
    </p>
  )
}
