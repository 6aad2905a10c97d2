import { useRouter } from 'next/navigation.js'
import { useCallback } from 'react'

/** Goes to a page, and renders it again for the new session. */
export function useArrival() {
  const router = useRouter()
  return useCallback(
    (path: string) => {
      router.push(path)
      router.refresh()
    },
    [router],
  )
}
