import { notePageFailure } from './page-failure.ts'

/** Calls the API for a page, and tells the front if the API is down. */
export const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const answer = await fetch(input, init)
    if (answer.status === 503) {
      const retryAfter = answer.headers.get('retry-after')
      notePageFailure({ status: 503, insteadOf: 500, retryAfter })
    }
    return answer
  } catch (error) {
    notePageFailure({ status: 503, insteadOf: 500, retryAfter: null })
    throw error
  }
}
