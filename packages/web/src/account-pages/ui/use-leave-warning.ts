import { useEffect } from 'react'

/**
 * Asks before the user leaves the page, by a link in it or in another way. For other ways, the
 * browser asks in its own words.
 */
export function useLeaveWarning(question: string) {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    const ask = (event: MouseEvent) => {
      const isLink = event.target instanceof Element && event.target.closest('a[href]')
      // If the default of the click is prevented, neither the browser nor Next follows the link.
      if (isLink && !confirm(question)) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    window.addEventListener('click', ask, { capture: true })
    return () => {
      window.removeEventListener('beforeunload', warn)
      window.removeEventListener('click', ask, { capture: true })
    }
  }, [question])
}
