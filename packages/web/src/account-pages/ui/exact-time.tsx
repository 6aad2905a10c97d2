'use client'

import { useEffect, useState } from 'react'
import { useSay } from '../provider/account-provider.tsx'

/** A moment to the second, in the reader's time zone; until the page runs in the browser, in UTC. */
export function ExactTime({ at }: { at: number }) {
  const say = useSay()
  const [timeZone, setTimeZone] = useState('UTC')
  useEffect(() => setTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone), [])
  const format = new Intl.DateTimeFormat(say.dateLocale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    timeZone,
  })
  return <time dateTime={new Date(at).toISOString()}>{format.format(at)}</time>
}
