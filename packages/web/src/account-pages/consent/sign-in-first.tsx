'use client'

import { useEffect } from 'react'
import { useSay } from '../provider/account-provider.tsx'

/**
 * Keeps the request in a cookie, and goes to sign in: the address is too long for a return path.
 */
export function SignInFirst({ cookie, path }: { cookie: string; path: string }) {
  const say = useSay()
  useEffect(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
    document.cookie = cookie
    location.replace(path)
  }, [cookie, path])
  return (
    <main className="svc-page svc-entrance">
      <p role="status" className="svc-working">
        <span aria-hidden="true" className="svc-spinner" />
        {say('Sign in first. We take you there…')}
      </p>
      <noscript>
        <p className="svc-small svc-above-3">{say('This page needs JavaScript to finish.')}</p>
      </noscript>
    </main>
  )
}
