/** What an operator does to one job. */
export interface Move {
  operation: string
  summary: string
  about: string
  /** What has become of it. */
  done: string
}

/** By the word after `svc jobs`. */
export const moves: Record<string, Move> = {
  retry: {
    operation: 'retryJob',
    summary: 'Run a failed job once more',
    about: 'It runs with the same input.',
    done: 'runs once more. "svc jobs list" says what becomes of it.',
  },
  cancel: {
    operation: 'cancelJob',
    summary: 'Cancel a job that waits',
    about: 'One that runs is not ended.',
    done: 'is cancelled. It will not run.',
  },
}
