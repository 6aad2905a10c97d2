'use client'

import type { MfaStatus } from '@svc/auth'
import { useState } from 'react'
import { useMfaStatus, useRecoveryCodes, useTotpEnrollment } from '../../account/account.ts'
import { factorFailure } from '../failures/factor-failure.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import { Button, TextLink } from '../ui/button.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { Loading } from '../ui/loading.tsx'
import { Outcome } from '../ui/outcome.tsx'
import type { PageSlots } from '../ui/page-slots.ts'
import { AuthenticatorSetup } from './authenticator-setup.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TurnedOn } from './turned-on.tsx'

interface TwoStepViewProps extends PageSlots {
  account: string
}

/** The second step of the user. */
export function TwoStepView({ account, ...slots }: TwoStepViewProps) {
  const say = useSay()
  return (
    <AccountPage
      title={say('Two-step sign-in')}
      about={say('On a new device, you need your password and something that only you have.')}
      {...slots}
    >
      <TwoStep account={account} />
    </AccountPage>
  )
}

/** Whether an account has two-step sign-in, and all actions for it. */
function TwoStep({ account }: { account: string }) {
  const say = useSay()
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
      {stage === 'loading' && (
        <Loading loading={twoStep.loading} label={say('Loading your second step…')} problem="" />
      )}
      {stage === 'off' && <TurnedOff isBusy={twoStep.isBusy} onSetUp={twoStep.setUp} />}
      {stage === 'on' && status && <TurnedOn status={status} problems={problems} {...twoStep} />}
      <div className="svc-outcome-box">
        <Outcome problem={stage === 'on' ? problems.loading : problems.any} done={twoStep.done} />
      </div>
    </FocusOnChange>
  )
}

interface TurnedOffProps {
  isBusy: boolean
  onSetUp: () => void
}

/** Explains two-step sign-in, and how to begin. */
function TurnedOff({ isBusy, onSetUp }: TurnedOffProps) {
  const paths = usePaths()
  const say = useSay()
  return (
    <section className="svc-sheet">
      <h2 tabIndex={-1} className="svc-title">
        {say('It is off')}
      </h2>
      <p className="svc-note svc-prose svc-paragraph svc-above-1">
        {say(
          'An attacker who learns your password can sign in with it. With an authenticator app, they also need your phone. You enter six digits on each new device, and before you change security settings.',
        )}
      </p>
      <div className="svc-above-4">
        <Button look="primary" isBusy={isBusy} onClick={onSetUp}>
          {isBusy ? say('Preparing…') : say('Set up an authenticator app')}
        </Button>
      </div>
      <p className="svc-note svc-prose svc-above-4">
        {say.nodes(
          'You can also use a passkey as the second step. Choose one in <link>your passkeys</link>.',
          { link: (text) => <TextLink href={paths.passkeys}>{text}</TextLink> },
        )}
      </p>
    </section>
  )
}

/** The second step of an account, the actions for it, and the result of the last one. */
function useTwoStep() {
  const say = useSay()
  const { status, loading, disabling, reload } = useMfaStatus()
  const enrolment = useTotpEnrollment({ onEnrolled: () => void reload() })
  const { secret, enrolling, confirming, startOver } = enrolment
  const { recoveryCodes, regenerating, forget } = useRecoveryCodes()
  const [done, setDone] = useState('')
  const [before, setBefore] = useState<MfaStatus | null>(null)
  const codes = enrolment.recoveryCodes ?? recoveryCodes

  function begin() {
    setDone('')
    setBefore(status)
    for (const { reset } of [enrolling, regenerating, disabling]) reset()
  }

  async function setUp() {
    begin()
    await enrolling.run()
  }

  async function makeCodes() {
    begin()
    if (await regenerating.run()) await reload()
  }

  async function turnOff() {
    begin()
    if (await disabling.run()) setDone(say('Two-step sign-in is off.'))
  }

  function forgetCodes() {
    const isNew = enrolment.recoveryCodes !== null
    setDone(
      isNew
        ? say('Two-step sign-in is on.')
        : say('Your new recovery codes work now. The old ones don’t.'),
    )
    startOver()
    forget()
  }

  const inWords = (error: unknown) => (error ? factorFailure(say, error) : '')
  const problems = {
    setUp: inWords(enrolling.error),
    makeCodes: inWords(regenerating.error),
    turnOff: inWords(disabling.error),
    loading: inWords(loading.error),
    any: inWords(enrolling.error ?? regenerating.error ?? disabling.error ?? loading.error),
  }
  return {
    stage: codes ? 'codes' : secret ? 'setup' : stageOf(status?.enrolled),
    status,
    codes,
    secret,
    loading,
    confirming,
    isBusy: enrolling.isRunning || regenerating.isRunning || disabling.isRunning,
    before,
    problems,
    done,
    setUp: () => void setUp(),
    cancelSetup: startOver,
    makeCodes: () => void makeCodes(),
    turnOff: () => void turnOff(),
    forgetCodes,
  } as const
}

function stageOf(isEnrolled: boolean | undefined) {
  if (isEnrolled === undefined) return 'loading'
  return isEnrolled ? 'on' : 'off'
}
