'use client'

import { usePathname, useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'

interface Props {
  children: ReactNode
  /** Once the session has ended. */
  otherwise: ReactNode
}

/**
 * What a layout shows to a user who was signed in when it was rendered. Layouts stay as they are
 * from page to page, and a session may be ended from another device: the proxy then takes its
 * cookies away with the answer to any call.
 */
export function WhileSignedIn({ children, otherwise }: Props) {
  const isSignedIn = useSyncExternalStore(onCookieChange, hasSession, () => true)
  const path = usePathname()
  const router = useRouter()
  // A signed-in user never stays on /login. So a guard has found that the session has ended, and no
  // call has told this layout yet.
  useEffect(() => {
    if (path === '/login') router.refresh()
  }, [path, router])
  return isSignedIn ? children : otherwise
}

/** A script can read this one of the two cookies, and both end together. */
function hasSession() {
  return /(?:^|; )svc_csrf=/.test(document.cookie)
}

function onCookieChange(onChange: () => void) {
  const heard = new AbortController()
  const { signal } = heard
  window.addEventListener('focus', onChange, { signal })
  // Only over https, or on this machine. Elsewhere, the next navigation checks it.
  if ('cookieStore' in window) window.cookieStore.addEventListener('change', onChange, { signal })
  return () => heard.abort()
}
