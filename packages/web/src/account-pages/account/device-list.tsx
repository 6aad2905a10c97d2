'use client'

import type { KeyListItem, LetIn } from '@svc/auth'
import { useRouter } from 'next/navigation.js'
import { type ReactNode, type Ref, Suspense, useRef, useState } from 'react'
import { type Device, useDevices } from '../../account/account.ts'
import { failureWords } from '../failures/failure-words.ts'
import { useAccountChange } from '../live/account-changes.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import { useArrival } from '../ui/arrival-notice.tsx'
import { TextLink } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { Skeleton } from '../ui/page.tsx'
import type { PageSlots } from '../ui/page-slots.ts'
import { useNow } from '../ui/relative-time.tsx'
import { ExactTime } from '../ui/time.tsx'
import { DeviceSummary, SignOutDevice } from './device-summary.tsx'
import { countOfOthers, namesOf, signedOutWords } from './device-words.ts'

interface DeviceListProps {
  keyId: string
  initial: KeyListItem[]
  initialApprovals: LetIn[]
  renderedAt: number
}

/** The devices of an account: this one, and all others. */
export function DeviceList({ renderedAt, ...given }: DeviceListProps) {
  const say = useSay()
  const now = useNow(renderedAt)
  const { thisDevice, others, approvals, isBusy, heading, ...list } = useDeviceList(given)
  return (
    <div>
      {thisDevice && (
        <section aria-labelledby="this" className="svc-sheet">
          <h2 id="this" className="svc-hidden">
            {say('This device')}
          </h2>
          <DeviceSummary device={thisDevice} now={now}>
            <ConfirmButton
              isBusy={isBusy}
              question={say('Sign out here? To sign in again, you need your password or a code.')}
              confirm={say('Yes, sign out')}
              onConfirm={() => void list.signOut(thisDevice)}
            >
              {say('Sign out this device')}
            </ConfirmButton>
          </DeviceSummary>
        </section>
      )}
      <div className="svc-outcome-box">
        <Outcome problem={list.problem} done={list.done} />
      </div>
      {approvals.length > 0 && (
        <WaitingApprovals
          {...{ approvals, isBusy }}
          onSignOutAll={() => void list.signOutOthers()}
        />
      )}
      <OtherDevices
        {...{ now, isBusy, heading }}
        devices={others}
        onSignOut={(device, choice) => void list.signOut(device, choice)}
        onSignOutAll={() => void list.signOutOthers()}
      />
    </div>
  )
}

interface OtherDevicesProps {
  devices: Device[]
  now: number
  isBusy: boolean
  heading: Ref<HTMLHeadingElement>
  onSignOut: (device: Device, choice: { keepMade: boolean }) => void
  onSignOutAll: () => void
}

/** All other places where the account is signed in. */
function OtherDevices({
  devices,
  now,
  isBusy,
  heading,
  onSignOut,
  onSignOutAll,
}: OtherDevicesProps) {
  const say = useSay()
  return (
    <section aria-labelledby="others" className="svc-sheet svc-above-5">
      <h2 id="others" ref={heading} tabIndex={-1} className="svc-title">
        {devices.length > 0 ? countOfOthers(say, devices.length) : say('Other devices')}
      </h2>
      {devices.length === 0 && (
        <p className="svc-note svc-prose svc-above-1">
          {say(
            'You are not signed in anywhere else. When you sign in on a phone or in another browser, it appears here.',
          )}
        </p>
      )}
      <ul className="svc-entries svc-above-2">
        {devices.map((device) => (
          <li key={device.keyId} className="svc-entry-box">
            <DeviceSummary device={device} now={now}>
              <SignOutDevice
                {...{ device, isBusy }}
                onSignOut={(choice) => onSignOut(device, choice)}
              />
            </DeviceSummary>
          </li>
        ))}
      </ul>
      {devices.length > 0 && (
        <div className="svc-footer-row">
          <ConfirmButton
            look="danger"
            isBusy={isBusy}
            question={say('Sign out {devices}? This one stays signed in.', {
              devices: countOfOthers(say, devices.length),
            })}
            confirm={say('Yes, sign out')}
            onConfirm={onSignOutAll}
          >
            {say('Sign out all other devices')}
          </ConfirmButton>
        </div>
      )}
    </section>
  )
}

interface WaitingApprovalsProps {
  approvals: LetIn[]
  isBusy: boolean
  onSignOutAll: () => void
}

/** Devices that were approved and have not signed in yet: signing out the device that approved them does not stop them. */
function WaitingApprovals({ approvals, isBusy, onSignOutAll }: WaitingApprovalsProps) {
  const say = useSay()
  const until = Math.max(...approvals.map(({ expiresAtMillis = 0 }) => expiresAtMillis))
  return (
    <section aria-labelledby="approved" className="svc-sheet svc-above-5">
      <h2 id="approved" className="svc-title">
        {say('Approved, not signed in yet')}
      </h2>
      <p className="svc-note svc-prose svc-above-1 svc-break">
        {say.nodes(
          '{names} can sign in until {time}. If you did not approve this, sign out all other devices. That also ends the approval.',
          { names: namesOf(say, approvals), time: <ExactTime at={until} /> },
        )}
      </p>
      <div className="svc-flex svc-above-4">
        <ConfirmButton
          look="danger"
          isBusy={isBusy}
          question={say(
            'End the approval and sign out all other devices? This one stays signed in.',
          )}
          confirm={say('Yes, sign out')}
          onConfirm={onSignOutAll}
        >
          {say('End it and sign out all other devices')}
        </ConfirmButton>
      </div>
    </section>
  )
}

interface Given {
  keyId: string
  initial: KeyListItem[]
  initialApprovals: LetIn[]
}

/** The devices, the actions for them, and the result of the last one. */
function useDeviceList(given: Given) {
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

  const tellChange = useAccountChange(reload)

  function begin() {
    setDone('')
    revoking.reset()
    revokingOthers.reset()
  }

  /** The button that had the focus disappears with its device. */
  function tell(what: string) {
    setDone(what)
    heading.current?.focus()
    tellChange()
    // The browser may come back to an older copy of this page.
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

interface DevicesViewProps extends PageSlots {
  /** A `DeviceList`. */
  children: ReactNode
}

/** The devices where the user is signed in. */
export function DevicesView({ children, ...slots }: DevicesViewProps) {
  const say = useSay()
  const paths = usePaths()
  return (
    <AccountPage
      title={say('Devices')}
      about={say(
        'The devices where you are signed in. Each has its own key. When you sign a device out, it stops working at once.',
      )}
      {...slots}
    >
      {/* All at once: what comes after the list would move when it comes. */}
      <Suspense fallback={<Skeleton label={say('Loading your devices…')} />}>
        {children}
        <p className="svc-note svc-above-6">
          {say.nodes('Does a device show you a code? <link>Link a device</link>', {
            link: (text) => <TextLink href={paths.approveDevice}>{text}</TextLink>,
          })}
        </p>
        <p className="svc-note svc-above-2">
          {say.nodes(
            'Do you have the key of a script or an agent? <link>Register a machine key</link>',
            { link: (text) => <TextLink href={paths.machines}>{text}</TextLink> },
          )}
        </p>
      </Suspense>
    </AccountPage>
  )
}
