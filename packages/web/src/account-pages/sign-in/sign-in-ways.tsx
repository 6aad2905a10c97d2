'use client'

import { useState } from 'react'
import { CodeForm } from './code-form.tsx'
import { SignInForm } from './sign-in-form.tsx'

interface Props {
  way: 'password' | 'code'
  returnTo: string
}

/** The form of the way that is on show. The email stays when the user changes the way. */
export function SignInWays({ way, returnTo }: Props) {
  const [email, onEmail] = useState('')
  const given = { returnTo, email, onEmail, offersPasskeys: true }
  return way === 'code' ? <CodeForm {...given} /> : <SignInForm {...given} />
}
