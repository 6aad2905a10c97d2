'use client'

import { useState } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import { QuietButton } from '../ui/quiet-button.tsx'
import { DeleteButton } from './delete-button.tsx'
import { DeleteByCode } from './delete-by-code.tsx'
import { DeleteByPassword } from './delete-by-password.tsx'

interface Props {
  /** Empty where the account has none. */
  email: string
  hasPassword: boolean
}

/** Closes an account, once it is clear that its owner asks. */
export function DeleteAccount({ email, hasPassword }: Props) {
  const say = useSay()
  const [way, setWay] = useState(hasPassword ? 'password' : 'code')
  if (!email && !hasPassword) {
    return (
      <div className="svc-stack">
        <p className="svc-small">
          {say(
            'This account has no email and no password, so you can’t restore it after you close it. To be able to restore it, add an email first.',
          )}
        </p>
        <DeleteButton email="" proof={() => ({})} />
      </div>
    )
  }
  if (way === 'code') return <DeleteByCode email={email} />
  return (
    <div className="svc-stack svc-narrow">
      <DeleteByPassword email={email} />
      {email && (
        <p className="svc-small">
          <QuietButton onClick={() => setWay('code')}>
            {say('Use a code by email instead')}
          </QuietButton>
        </p>
      )}
    </div>
  )
}
