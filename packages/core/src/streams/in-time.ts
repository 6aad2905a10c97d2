// Rights that are taken away must have an effect within a minute. This is half of it; the other
// half is for asking again.
const patienceMillis = 30_000

/** A hanging call counts as a failure: the caller would wait for ever. */
export async function inTime<Answer>(asked: Promise<Answer>): Promise<Answer> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new Error(`No answer came within ${patienceMillis / 1000} s.`))
  }, patienceMillis)
  timer.unref()
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
  }
}
