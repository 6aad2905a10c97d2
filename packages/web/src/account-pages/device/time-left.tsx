import { useEffect, useState } from 'react'
import { minutesAndSeconds } from './minutes-and-seconds.ts'

/** Counts down to a moment. What happens then is the API's to say: clocks differ. */
export function TimeLeft({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <span role="timer" className="svc-number">
      {minutesAndSeconds(until - now)}
    </span>
  )
}
