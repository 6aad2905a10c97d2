import { useEffect } from 'react'

/** Asks before the user leaves the page, by a link of it or otherwise. A browser says the latter in its own words. */
export function useLeaveWarning(question: string) {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    const ask = (event: MouseEvent) => {
      const isLink = event.target instanceof Element && event.target.closest('a[href]')
      // A link that its click has no default for is followed neither by the browser nor by Next.
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
