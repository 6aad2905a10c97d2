import { useEffect } from 'react'

/** Loads the data of a page, unless the server has rendered the page with it. */
export function useInitialLoad(load: () => unknown, initial: unknown) {
  const hasInitial = initial !== undefined
  useEffect(() => {
    if (!hasInitial) void load()
  }, [load, hasInitial])
}
