const key = 'svc.arrival-note'

/** Leaves word in this tab for the page that comes next, such as that their password is set. */
export function leaveNote(words: string) {
  sessionStorage.setItem(key, words)
}

/** What was left, once; empty where nothing was. */
export function takeNote() {
  const words = sessionStorage.getItem(key) ?? ''
  sessionStorage.removeItem(key)
  return words
}
