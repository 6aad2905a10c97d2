'use client'

import { useState } from 'react'
import { QuietButton } from '../ui/quiet-button.tsx'
import { DeleteByCode } from './delete-by-code.tsx'
import { DeleteByPassword } from './delete-by-password.tsx'

interface Props {
  /** Empty where the account has none. */
  email: string
  hasPassword: boolean
}

/** Closes an account, once it is clear that its owner asks. */
export function DeleteAccount({ email, hasPassword }: Props) {
  const [way, setWay] = useState(hasPassword ? 'password' : 'code')
  if (!email && !hasPassword) {
    return <p className="text-sm">Give the account an email or a password first.</p>
  }
  if (way === 'code') return <DeleteByCode email={email} />
  return (
    <div className="grid max-w-sm gap-4">
      <DeleteByPassword email={email} />
      {email && (
        <p className="text-sm">
          <QuietButton onClick={() => setWay('code')}>
            I do not know it: mail me a code instead
          </QuietButton>
        </p>
      )}
    </div>
  )
}
