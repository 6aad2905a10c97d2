'use client'

import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { AuthenticatorSetup } from './authenticator-setup.tsx'
import { LoadingStatus } from './loading-status.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TurnedOff } from './turned-off.tsx'
import { TurnedOn } from './turned-on.tsx'
import { useTwoStep } from './use-two-step.ts'

/** Whether an account has two-step sign-in, and everything that can be done about it. */
export function TwoStep({ account }: { account: string }) {
  const { stage, status, codes, secret, problems, ...twoStep } = useTwoStep()
  return (
    <FocusOnChange of={stage}>
      {stage === 'codes' && codes && (
        <RecoveryCodes
          codes={codes}
          account={account}
          before={twoStep.before}
          onKept={twoStep.forgetCodes}
        />
      )}
      {stage === 'setup' && secret && (
        <AuthenticatorSetup
          enrolment={secret}
          confirming={twoStep.confirming}
          onCancel={twoStep.cancelSetup}
        />
      )}
      {stage === 'loading' && <LoadingStatus loading={twoStep.loading} />}
      {stage === 'off' && <TurnedOff isBusy={twoStep.isBusy} onSetUp={twoStep.setUp} />}
      {stage === 'on' && status && <TurnedOn status={status} problems={problems} {...twoStep} />}
      <div className="svc-outcome-box">
        <Outcome problem={stage === 'on' ? problems.loading : problems.any} done={twoStep.done} />
      </div>
    </FocusOnChange>
  )
}
