import { useEffect, useState } from 'react'

/** Whether so much time has passed since `of` was another value. */
export function useHasPassed(millis: number, of: unknown) {
  const [passed, setPassed] = useState<unknown>(null)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(of), millis)
    return () => clearTimeout(timer)
  }, [millis, of])
  return passed === of
}
