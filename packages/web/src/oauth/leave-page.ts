// What a provider needs to answer, and longer than anybody waits.
const patienceMillis = 10_000

/**
 * Goes elsewhere. Resolves where the page is still there, or there once more by the way back: until then, who sets out a
 * second time would take the first one's cookie away.
 */
export function leavePage(url: string) {
  location.assign(url)
  return new Promise<void>((resolve) => {
    addEventListener('pageshow', () => resolve(), { once: true })
    setTimeout(resolve, patienceMillis)
  })
}
