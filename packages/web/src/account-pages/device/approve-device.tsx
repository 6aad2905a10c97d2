'use client'

import { useDeviceApproval } from '../../account/use-device-approval.ts'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { Approval } from './approval.tsx'
import { AskForCode } from './ask-for-code.tsx'
import { Decided } from './decided.tsx'

interface Props {
  /** From the address; empty where it has none. */
  code: string
  signedInAs: string
}

/** Asks for the code of a device, shows the device, and decides. */
export function ApproveDevice({ code, signedInAs }: Props) {
  const { found, decision, ...approval } = useDeviceApproval()
  const { looking, approving, denying, startOver } = approval
  const stage = found ? (decision ?? 'found') : 'code'
  return (
    <FocusOnChange of={stage}>
      {!found && <AskForCode code={code} looking={looking} />}
      {found && !decision && (
        <Approval
          device={found.device}
          as={signedInAs}
          error={approving.error ?? denying.error}
          isBusy={approving.isRunning || denying.isRunning}
          onApprove={() => void approving.run(found)}
          onDeny={() => void denying.run(found)}
          onStartOver={startOver}
        />
      )}
      {found && decision && (
        <Decided device={found.device} decision={decision} onStartOver={startOver} />
      )}
    </FocusOnChange>
  )
}
