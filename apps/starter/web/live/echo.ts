/** The state of the last message that was sent. */
export type Echo =
  | { state: 'none' }
  | { state: 'waiting'; sentAtMillis: number }
  | { state: 'answered'; text: string; millis: number }
  | { state: 'failed'; why: string }

export const noEcho: Echo = { state: 'none' }

/** The state after an answer to the message that is waited for. */
export function answered(before: Echo, text: string, nowMillis: number): Echo {
  if (before.state !== 'waiting') return before
  return { state: 'answered', text, millis: nowMillis - before.sentAtMillis }
}

/** The state after the answer was lost. */
export function failed(before: Echo, why: string): Echo {
  return before.state === 'waiting' ? { state: 'failed', why } : before
}
