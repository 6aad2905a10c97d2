import { useEffect, useState } from 'react'
import type { WaitingDevice } from '../../account/account.ts'
import { deviceName } from '../account/device-words.ts'
import { useSay } from '../provider/account-provider.tsx'

/**
 * A name that an attacker may have chosen. It stays within its lines, and doesn't change the text
 * direction around it.
 */
export function DeviceName({ device }: { device: WaitingDevice }) {
  const say = useSay()
  return (
    <bdi className="svc-clamp svc-break" title={deviceName(say, device)}>
      {deviceName(say, device)}
    </bdi>
  )
}

/** Counts down to a moment. Only the API decides what happens then: clocks differ. */
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

/** A length of time as a clock would show it: `9:05`. */
export function minutesAndSeconds(millis: number) {
  const seconds = Math.max(0, Math.ceil(millis / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
