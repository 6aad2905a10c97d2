/** An answer to a request may take 60 s, and code that emits often runs before one. */
const patienceMillis = 30_000

/**
 * Resolves when all have settled, or when one has delayed the rest for too long. Every failure is
 * reported.
 */
export async function settled(
  pending: readonly PromiseLike<unknown>[],
  report: (error: unknown) => void,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      report(new Error(`A handler has not settled within ${patienceMillis / 1000} s.`))
      resolve()
    }, patienceMillis)
  })
  const all = Promise.all(pending.map((each) => Promise.resolve(each).catch(report)))
  await Promise.race([all, patience])
  clearTimeout(timer)
}
