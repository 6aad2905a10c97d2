import type { Say } from '../words/say.ts'
/** The words for so many milliseconds. In steps of five seconds, because a screen reader reads each change. */
export function turnWords(say: Say, millis: number) {
  const seconds = Math.max(0, Math.ceil(millis / 5000) * 5)
  const wait =
    seconds <= 5
      ? say('Your turn comes in a moment.')
      : seconds < 90
        ? say('Your turn comes in about {seconds} seconds.', { seconds })
        : say('Your turn comes in about {count} minutes.', { count: Math.ceil(seconds / 60) })
  return say(
    'Many people are signing in right now. {wait} Keep this page open. It continues by itself.',
    { wait },
  )
}
