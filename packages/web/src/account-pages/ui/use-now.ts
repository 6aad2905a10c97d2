import { useEffect, useState } from 'react'

/** The moment, kept to half a minute. It starts as the server's, so that both render the same text. */
export function useNow(renderedAt: number) {
  const [now, setNow] = useState(renderedAt)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
