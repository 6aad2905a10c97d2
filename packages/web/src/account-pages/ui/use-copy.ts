import { useState } from 'react'
import { useSay } from '../provider/account-provider.tsx'

/** Copies a text, and says whether that worked: a browser may forbid it. */
export function useCopy() {
  const say = useSay()
  const [outcome, setOutcome] = useState({ problem: '', done: '' })

  async function copy(text: string) {
    setOutcome({ problem: '', done: '' })
    try {
      await navigator.clipboard.writeText(text)
      setOutcome({ problem: '', done: say('Copied.') })
    } catch {
      setOutcome({
        problem: say('Your browser did not copy it. Select the text and copy it yourself.'),
        done: '',
      })
    }
  }

  return { ...outcome, copy }
}
