import { useEffect } from 'react'

/** Loads what a page shows, unless the server has rendered it with that. */
export function useInitialLoad(load: () => unknown, initial: unknown) {
  const hasInitial = initial !== undefined
  useEffect(() => {
    if (!hasInitial) void load()
  }, [load, hasInitial])
}
