import { useCallback, useEffect, useRef } from 'react'

const soonMillis = 200

/** The function, run a moment later: once for all that ask for it until then. */
export function useSoon(run: () => void) {
  const latest = useRef(run)
  latest.current = run
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => latest.current(), soonMillis)
  }, [])
}
