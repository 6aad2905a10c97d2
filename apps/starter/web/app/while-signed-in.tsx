'use client'

import { usePathname, useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'

interface Props {
  children: ReactNode
  /** Once the session has ended. */
  otherwise: ReactNode
}

/**
 * What a layout shows to whoever was signed in when it was rendered. Layouts stay as they are from page to page, and a
 * session may be ended from another device: the proxy then takes its cookies away with the answer to any call.
 */
export function WhileSignedIn({ children, otherwise }: Props) {
  const isSignedIn = useSyncExternalStore(onCookieChange, hasSession, () => true)
  const path = usePathname()
  const router = useRouter()
  // Whoever is signed in does not stay there: a guard has found out what no call has been told yet.
  useEffect(() => {
    if (path === '/login') router.refresh()
  }, [path, router])
  return isSignedIn ? children : otherwise
}

/** A script reads this one of the two cookies, and both end together. */
function hasSession() {
  return /(?:^|; )svc_csrf=/.test(document.cookie)
}

function onCookieChange(onChange: () => void) {
  const heard = new AbortController()
  const { signal } = heard
  window.addEventListener('focus', onChange, { signal })
  // Only over https, or on this machine: elsewhere the next page that is opened looks.
  if ('cookieStore' in window) window.cookieStore.addEventListener('change', onChange, { signal })
  return () => heard.abort()
}
