'use client'

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

/** Lets the browser save a text as a file. */
export function saveText({ name, text }: { name: string; text: string }) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  // The browser reads it in a task of its own.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
