import { setTimeout as wait } from 'node:timers/promises'

// A provider is asked several things, one after the other: the answer is due within five seconds all the same (F20).
const longestMillis = 4500

/** Waits for a provider, but not for longer than whoever asks us does. */
export async function inTime<Result>(ask: () => Promise<Result>): Promise<Result> {
  const settled = new AbortController()
  const late = wait(longestMillis, null, { signal: settled.signal }).then(() => {
    throw new Error(`no answer within ${longestMillis} ms`)
  })
  try {
    return await Promise.race([ask(), late])
  } finally {
    settled.abort()
  }
}
