import { useEffect, useState } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import { turnWords } from './turn-words.ts'

interface Props {
  /** In milliseconds since 1970; null if the page is not waiting. */
  at: number | null
}

/** Says that many people are signing in, and how long it takes until it is this person's turn. */
export function TurnComes({ at }: Props) {
  const say = useSay()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (at === null) return undefined
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [at])
  return (
    <p role="status" className="svc-note svc-if-filled">
      {at === null ? '' : turnWords(say, at - now)}
    </p>
  )
}
