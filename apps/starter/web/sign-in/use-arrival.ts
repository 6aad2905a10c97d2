import { useRouter } from 'next/navigation'
import { useCallback } from 'react'

/** Goes to a page, which is rendered anew for whoever is signed in by now. */
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
