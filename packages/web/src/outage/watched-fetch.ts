/**
 * The front and the pages run in one process, but Next bundles the pages separately. So they communicate through a
 * global. Without a front, this has no effect.
 */
const name = Symbol.for('svc.web.outage')

type NoteOutage = (retryAfter: string | null) => void

const meeting = globalThis as { [name]?: NoteOutage }

export function onOutage(note: NoteOutage) {
  meeting[name] = note
}

/** Calls the API for a page, and tells the front if the API is down. */
export const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const answer = await fetch(input, init)
    if (answer.status === 503) meeting[name]?.(answer.headers.get('retry-after'))
    return answer
  } catch (error) {
    meeting[name]?.(null)
    throw error
  }
}
