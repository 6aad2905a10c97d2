'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { Entrance } from '../sign-in/entrance.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { LinkTabs } from '../ui/link-tabs.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { takeClosed } from './closed-account.ts'
import { RestoreByCode } from './restore-by-code.tsx'
import { RestoreByPassword } from './restore-by-password.tsx'
import { RestoreNotes } from './restore-notes.tsx'

const addresses = { password: '/restore', code: '/restore?with=code' }

interface Props {
  way: keyof typeof addresses
  /** The last day, in words. */
  until: string | null
}

/** Restores an account that waits for its deletion. It signs nobody in. */
export function RestoreAccount({ way, until }: Props) {
  const [email, onEmail] = useState('')
  const [isClosed, setClosed] = useState(false)
  const [isRestored, setRestored] = useState(false)
  const router = useRouter()
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
      title={isClosed && !isRestored ? 'Your account is closed' : 'Restore your account'}
      notes={<RestoreNotes isRestored={isRestored} />}
    >
      {until && !isRestored && <CanBeRestored until={until} />}
      <FocusOnChange of={isRestored ? 'restored' : 'form'}>
        {isRestored ? (
          <Restored />
        ) : (
          <>
            <LinkTabs
              label="Ways to restore an account"
              current={addresses[way]}
              tabs={[
                { href: addresses.password, label: 'With your password' },
                { href: addresses.code, label: 'With a code by email' },
              ]}
            />
            <div className="mt-6">
              {way === 'code' ? <RestoreByCode {...given} /> : <RestoreByPassword {...given} />}
            </div>
          </>
        )}
      </FocusOnChange>
    </Entrance>
  )
}

/** Anybody may have written the day into the address: it is no word of whoever reads it. */
function CanBeRestored({ until }: { until: string }) {
  return (
    <p role="status" className="mb-4 text-sm leading-relaxed">
      You can restore a closed account until <strong className="font-medium">{until}</strong>. Then
      it is deleted permanently.
    </p>
  )
}

function Restored() {
  return (
    <div className="grid gap-3 text-sm leading-relaxed">
      <h2 tabIndex={-1} className="font-medium text-lg outline-none">
        Your account is restored
      </h2>
      <p>Everything is as before. No device is signed in yet.</p>
      <p>
        <TextLink href="/login">Sign in</TextLink>
      </p>
    </div>
  )
}
