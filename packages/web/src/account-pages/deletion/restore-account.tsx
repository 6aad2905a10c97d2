'use client'

import { useRouter } from 'next/navigation.js'
import { useEffect, useState } from 'react'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Entrance } from '../ui/entrance.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { LinkTabs } from '../ui/link-tabs.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { TextLink } from '../ui/text-link.tsx'
import { takeClosed } from './closed-account.ts'
import { RestoreByCode } from './restore-by-code.tsx'
import { RestoreByPassword } from './restore-by-password.tsx'
import { RestoreNotes } from './restore-notes.tsx'

interface Props extends EntranceSlots {
  way: 'password' | 'code'
  /** The last day, as `2030-01-31`. */
  until: string | null
}

/** Restores an account that waits for its deletion. It does not sign in. */
export function RestoreAccount({ way, until, ...slots }: Props) {
  const paths = usePaths()
  const say = useSay()
  const [email, onEmail] = useState('')
  const [isClosed, setClosed] = useState(false)
  const [isRestored, setRestored] = useState(false)
  const router = useRouter()
  const addresses = { password: paths.restore, code: `${paths.restore}?with=code` }
  const given = { email, onEmail, onRestored }

  useEffect(() => {
    const closed = takeClosed()
    if (closed === null) return
    setClosed(true)
    onEmail(closed)
  }, [])

  function onRestored() {
    setRestored(true)
    // The page may have been that of an account that is closed.
    router.replace(addresses.password)
  }

  return (
    <Entrance
      title={isClosed && !isRestored ? say('Your account is closed') : say('Restore your account')}
      notes={<RestoreNotes isRestored={isRestored} />}
      slots={slots}
    >
      {until && !isRestored && <CanBeRestored until={until} />}
      <FocusOnChange of={isRestored ? 'restored' : 'form'}>
        {isRestored ? (
          <Restored />
        ) : (
          <>
            <LinkTabs
              label={say('Ways to restore an account')}
              current={addresses[way]}
              tabs={[
                { href: addresses.password, label: say('With your password') },
                { href: addresses.code, label: say('With a code by email') },
              ]}
            />
            <div className="svc-above-6">
              {way === 'code' ? <RestoreByCode {...given} /> : <RestoreByPassword {...given} />}
            </div>
          </>
        )}
      </FocusOnChange>
    </Entrance>
  )
}

/** An attacker may have written the day into the address, so it says nothing about the user. */
function CanBeRestored({ until }: { until: string }) {
  const say = useSay()
  const format = new Intl.DateTimeFormat(say.dateLocale, { dateStyle: 'long', timeZone: 'UTC' })
  const day = format.format(new Date(until))
  return (
    <p role="status" className="svc-paragraph svc-below-4">
      {say.nodes(
        'You can restore a closed account until {until}. Then it is deleted permanently.',
        { until: <strong className="svc-strong">{day}</strong> },
      )}
    </p>
  )
}

function Restored() {
  const paths = usePaths()
  const say = useSay()
  return (
    <div className="svc-stack svc-stack-3 svc-paragraph">
      <h2 tabIndex={-1} className="svc-title">
        {say('Your account is restored')}
      </h2>
      <p>{say('Everything is as before. No device is signed in yet.')}</p>
      <p>
        <TextLink href={paths.signIn}>{say('Sign in')}</TextLink>
      </p>
    </div>
  )
}
