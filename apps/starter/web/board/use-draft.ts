import { useCallback, useEffect, useState } from 'react'

/**
 * What somebody is writing, kept in this tab until it is posted: signing in again leads away from the page. Each account
 * has its own, because somebody else may be the next to sign in here.
 */
export function useDraft(userId: string) {
  const [draft, setDraft] = useState('')
  const name = `notice draft of ${userId}`
  // Not while rendering: the server has no storage, and both must render the same.
  useEffect(() => {
    const kept = stored(() => sessionStorage.getItem(name))
    if (kept) setDraft(kept)
  }, [name])

  const keep = useCallback(
    (text: string) => {
      setDraft(text)
      stored(() => (text ? sessionStorage.setItem(name, text) : sessionStorage.removeItem(name)))
    },
    [name],
  )
  return [draft, keep] as const
}

/** A browser may refuse storage altogether; then a draft is kept as long as its page. */
function stored<Result>(use: () => Result) {
  try {
    return use()
  } catch {
    return null
  }
}
