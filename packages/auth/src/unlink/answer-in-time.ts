import { ServiceUnavailableError } from '@svc/core'

// Kakao takes no answer after 3 s: the rest is for the way.
const longestMillis = 2000

/** Answers in time also while the database does not. What is under way goes on, and the next notice finds it done. */
export async function answerInTime<Result>(run: () => Promise<Result>): Promise<Result> {
  const { promise: isLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new ServiceUnavailableError()), longestMillis)
  try {
    return await Promise.race([run(), isLate])
  } finally {
    clearTimeout(timer)
  }
}
