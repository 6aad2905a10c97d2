interface Movable {
  set: (moment: Date) => void
}

/**
 * The clock of a test server stands still. A device that signs by its own clock is soon half a
 * minute off.
 */
export function keepInStep(clock: Movable) {
  const keep = () => clock.set(new Date())
  let timer = setInterval(keep, 1000)
  const stop = () => clearInterval(timer)
  return {
    stop,
    /** Has something done at another time. */
    at: async <Result>(moment: Date, act: () => Promise<Result>) => {
      stop()
      clock.set(moment)
      try {
        return await act()
      } finally {
        keep()
        timer = setInterval(keep, 1000)
      }
    },
  }
}
