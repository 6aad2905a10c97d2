'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { LinkTabs } from '../ui/link-tabs.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { RestoreByCode } from './restore-by-code.tsx'
import { RestoreByPassword } from './restore-by-password.tsx'

const addresses = { password: '/restore', code: '/restore?with=code' }

/** Restores an account that waits for its deletion. It signs nobody in. */
export function RestoreAccount({ way }: { way: keyof typeof addresses }) {
  const [email, onEmail] = useState('')
  const [isRestored, setRestored] = useState(false)
  const router = useRouter()
  const given = { email, onEmail, onRestored }

  function onRestored() {
    setRestored(true)
    // The page may have been that of an account that is closed.
    router.replace(addresses.password)
  }

  return (
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
  )
}

function Restored() {
  return (
    <div className="grid gap-3 text-sm leading-relaxed">
      <h2 tabIndex={-1} className="font-medium text-lg outline-none">
        Your account is restored
      </h2>
      <p>All of it is as it was. No device is signed in yet.</p>
      <p>
        <TextLink href="/login">Sign in</TextLink>
      </p>
    </div>
  )
}
