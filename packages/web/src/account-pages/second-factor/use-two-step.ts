import type { MfaStatus } from '@svc/auth'
import { useState } from 'react'
import { useMfaStatus, useRecoveryCodes, useTotpEnrollment } from '../../account/use-mfa.ts'
import { factorFailure } from '../failures/factor-failure.ts'
import { useSay } from '../provider/account-provider.tsx'

/** The second step of an account, what can be done about it, and what came of it. */
export function useTwoStep() {
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
