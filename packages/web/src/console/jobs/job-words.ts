export const stateWords = {
  failed: 'Failed',
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  cancelled: 'Cancelled',
} as const
