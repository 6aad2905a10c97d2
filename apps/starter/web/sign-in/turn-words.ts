/** The words for so many milliseconds. In steps of five seconds, because a screen reader reads each change. */
export function turnWords(millis: number) {
  const seconds = Math.max(0, Math.ceil(millis / 5000) * 5)
  const wait =
    seconds <= 5
      ? 'Your turn comes in a moment.'
      : seconds < 90
        ? `Your turn comes in about ${seconds} seconds.`
        : `Your turn comes in about ${Math.ceil(seconds / 60)} minutes.`
  return `Many people are signing in right now. ${wait} Keep this page open. It continues by itself.`
}
