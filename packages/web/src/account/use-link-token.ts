import { useCallback, useEffect, useRef } from 'react'

/**
 * The token that a mailed link has brought in the page's address. It is taken out of there as the page opens, so that
 * neither the history nor a Referer keeps it; what is answered reads it.
 */
export function useLinkToken() {
  const token = useRef('')
  useEffect(() => {
    const given = new URL(location.href).searchParams.get('token')
    if (given === null) return
    token.current = given
    // Next's router listens from the end of this turn on, and would write an address back that it saw before.
    queueMicrotask(forgetToken)
  }, [])
  return useCallback(() => token.current, [])
}

function forgetToken() {
  const url = new URL(location.href)
  url.searchParams.delete('token')
  history.replaceState(null, '', url)
}
