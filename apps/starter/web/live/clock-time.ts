const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

/** The time of day where the reader is: for what happens in the browser alone, which no server renders. */
export function clockTime(atMillis: number) {
  return clock.format(atMillis)
}
