import { headers } from 'next/headers.js'
import { passwordResetSetup, signupSetup } from '../auth-operations/password-setup.ts'
import { returnPath } from '../page/return-path.ts'
import { sharedWebAuth } from '../web-auth.ts'

/** What a mailed link has opened: whose password can be set, and where they go then. */
export interface OpenedLink {
  readonly email: string
  readonly returnPath: string
}

const setups = { signup: signupSetup, 'password reset': passwordResetSetup }

/**
 * What a link has opened in the browser that asks for the page, for as long as a password can be set with it; null where
 * there is nothing. Whoever loads the page anew goes on where they were.
 */
export async function getOpenedLink(kind: keyof typeof setups): Promise<OpenedLink | null> {
  const { cookies, sealer } = sharedWebAuth()
  const { name, purpose } = setups[kind]
  const value = cookies.valueOf((await headers()).get('cookie'), name)
  const opened = value && (await sealer.open(purpose, value, Date.now()))
  if (!opened) return null
  const { email, returnPath: path } = opened.content
  return { email, returnPath: returnPath(path) }
}
