/** Why a page can't be shown, if the page itself isn't the cause. */
export type PageFailure =
  /** The API did not answer, or said so of itself: seconds until a retry, if it named them. */
  | { readonly status: 503; readonly insteadOf: 500; readonly retryAfter: string | null }
  /**
   * The API refused the request, for example because the user is signed out or may not see it. Next
   * answers 200 if the page says so itself, and 500 if it throws.
   */
  | { readonly status: RefusedStatus; readonly insteadOf: 200 | 500 }

const refused = [400, 401, 403] as const

export type RefusedStatus = (typeof refused)[number]

/**
 * A status that a page can have for a refusal of the API, or null. A page says 404 itself:
 * `notFound()`.
 */
export function refusedStatusOf(status: number): RefusedStatus | null {
  return refused.find((each) => each === status) ?? null
}

type NoteFailure = (failure: PageFailure) => void

/**
 * The front and the pages run in one process, but Next bundles the pages separately. So they communicate through a
 * global. Without a front, this has no effect.
 */
const name = Symbol.for('svc.web.page-failure')

const meeting = globalThis as { [name]?: NoteFailure }

export function onPageFailure(note: NoteFailure) {
  meeting[name] = note
}

export function notePageFailure(failure: PageFailure) {
  meeting[name]?.(failure)
}

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
