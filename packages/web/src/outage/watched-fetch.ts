/**
 * The front and the pages are in one process, and Next bundles the pages on their own: they meet in what is global.
 * Where there is no front, nothing takes note.
 */
const name = Symbol.for('svc.web.outage')

type NoteOutage = (retryAfter: string | null) => void

const meeting = globalThis as { [name]?: NoteOutage }

export function onOutage(note: NoteOutage) {
  meeting[name] = note
}

/** Asks the API for a page, and says so to the front where the API is away. */
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
