import type { KeyListItem, LetIn } from '@svc/auth'
import { useRouter } from 'next/navigation.js'
import { useEffect, useRef, useState } from 'react'
import { type Device, useDevices } from '../../account/use-devices.ts'
import { failureWords } from '../failures/failure-words.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { useArrival } from '../ui/use-arrival.ts'
import { countOfOthers, signedOutWords } from './device-words.ts'

interface Given {
  keyId: string
  initial: KeyListItem[]
  initialApprovals: LetIn[]
}

/** The devices, what can be done about them, and what came of it. */
export function useDeviceList(given: Given) {
  const paths = usePaths()
  const say = useSay()
  const router = useRouter()
  const arrive = useArrival()
  const { devices, approvals, revoking, revokingOthers, reload } = useDevices({
    ...given,
    onSignedOut: () => arrive(paths.signIn),
  })
  const [done, setDone] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)

  // What was done on another device meanwhile is seen by who comes back to this one.
  useEffect(() => {
    const look = () => document.hidden || void reload()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [reload])

  function begin() {
    setDone('')
    revoking.reset()
    revokingOthers.reset()
  }

  /** The button that had the focus is gone with its device. */
  function tell(what: string) {
    setDone(what)
    heading.current?.focus()
    // The browser may come back to what it has kept of this page.
    router.refresh()
  }

  async function signOut(device: Device, choice: { keepMade?: boolean } = {}) {
    begin()
    const revoked = await revoking.run(device.keyId, choice)
    if (revoked && !device.isThis) tell(signedOutWords(say, device, revoked.ended))
  }

  async function signOutOthers() {
    begin()
    const count = await revokingOthers.run()
    if (count !== null) tell(say('Signed out: {devices}.', { devices: countOfOthers(say, count) }))
  }

  const error = revoking.error ?? revokingOthers.error
  return {
    thisDevice: devices?.find(({ isThis }) => isThis),
    approvals,
    others: devices?.filter(({ isThis }) => !isThis) ?? [],
    isBusy: revoking.isRunning || revokingOthers.isRunning,
    problem: error ? failureWords(say, error) : '',
    done,
    heading,
    signOut,
    signOutOthers,
  }
}
